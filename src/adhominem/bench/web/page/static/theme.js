// Runs before anything is drawn: the colours that were chosen last time.
const chosen = localStorage.getItem("adhominem-colours");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.colours = chosen;
