from adhominem.cli.app import main

main()
