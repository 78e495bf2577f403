# The shipped model, the paper's row and all their figures, from raw corpora, on a machine with a GPU:
#
#   make shipped DATA=data GLOVE=glove.txt
#
# DATA holds tripadvisor.parquet, blogs.parquet, reddit.parquet, imdb.parquet, amazon/, pan/,
# ebg.parquet and genres/, a file for each further kind of text. Every step is a command of the package; one that was stopped goes on, one that is done
# is not done again. Where data and GPU are on two machines: `make shipped-prepared` on the first, copy
# RUNS with its times (rsync -a), `make shipped-networks` on the second (-j 4 trains side by side), copy
# it back, `make shipped`.
DATA ?= data
GLOVE ?= glove.txt
DEVICE ?= cuda
RUNS ?= runs
BIN ?= .venv/bin

ADHOMINEM := $(BIN)/adhominem
PYTHON := $(BIN)/python
CORPORA := $(RUNS)/corpora
OTHERS := $(basename $(notdir $(wildcard $(DATA)/genres/*.parquet)))
LEARNT := hotels blogs reddit imdb $(OTHERS)
UNSEEN := amazon
TEACHERS := $(foreach number,1 2 3 4,$(RUNS)/teachers/$(number))
UNSEEN_NETWORKS := $(foreach number,1 2 3 4 5 6,$(RUNS)/unseen/$(number))

# Word vectors are learnt without these: a mailing list, a forum, a chat, speech, fiction, questions and
# answers. By these kinds, left out of networks too, the settings of training were chosen.
LEFT_OUT := indology_list ssvc_vanclub_forum komodo_discord lds_talks pan_fanfic stackexchange_small
MANIFESTS := $(foreach kind,$(LEARNT) $(UNSEEN),$(CORPORA)/$(kind)/manifest.json)
DEV_PAIRS := $(foreach genre,hotels blogs,$(RUNS)/shipped/prepared/dev/$(genre).pairs.jsonl.gz)
VECTORS := --vectors $(GLOVE) --vectors $(RUNS)/subword.vec
PAN := $(foreach name,pan13_en_train pan14_en_essays_train pan14_en_novels_train pan15_en_train,$(DATA)/pan/$(name))

# What was measured has a stamp in RUNS: results/ comes with the project, and says nothing of what is done.
MEASURED := $(RUNS)/measured
DONE = @mkdir -p $(@D) && touch $@

all: $(foreach name,kinds ablation mixture voices truth other-genres lift robustness faithfulness benchmark-batch \
  benchmark-search house second-opinion lambdag hotels-all-pairs hotels-test hrsn-test adaptation-imdb \
  adaptation-blogs,$(MEASURED)/$(name))
prepared: $(RUNS)/shipped/vectors/vectors.json $(RUNS)/paper/vectors/vectors.json $(RUNS)/small/prepared/manifest.json
networks: $(RUNS)/shipped/trained $(UNSEEN_NETWORKS:=/trained) $(RUNS)/paper/trained $(RUNS)/hrsn/trained

# Corpora, each a genre by the name of its folder.
$(CORPORA)/hotels/manifest.json:
	$(ADHOMINEM) corpus build $(DATA)/tripadvisor.parquet -o $(@D)
$(CORPORA)/reddit/manifest.json:
	$(ADHOMINEM) corpus build $(DATA)/reddit.parquet --min-tokens 40 -o $(@D)
$(CORPORA)/amazon/manifest.json:
	$(ADHOMINEM) corpus build $(DATA)/amazon/*.json.gz -o $(@D)
$(OTHERS:%=$(CORPORA)/%/manifest.json): $(CORPORA)/%/manifest.json:
	$(ADHOMINEM) corpus build $(DATA)/genres/$*.parquet --min-tokens 40 -o $(@D)
$(CORPORA)/%/manifest.json:
	$(ADHOMINEM) corpus build $(DATA)/$*.parquet -o $(@D)

# Integers, pairs and word vectors; no kind is louder in the subword vectors than four million tokens.
$(RUNS)/shipped/prepared/manifest.json: $(MANIFESTS)
	$(ADHOMINEM) model train experiments/shipped.toml $(LEARNT:%=--corpus $(CORPORA)/%) \
	  $(UNSEEN:%=--unseen $(CORPORA)/%) -o $(RUNS)/shipped --until prepared
$(RUNS)/subword.vec: $(RUNS)/shipped/prepared/manifest.json
	mkdir -p $(RUNS)/sentences
	$(PYTHON) experiments/export_sentences.py $(<D) -o $(RUNS)/sentences --most-tokens 4000000 \
	  --without $(LEFT_OUT)
	$(PYTHON) experiments/subword_vectors.py --sentences $(RUNS)/sentences/sentences.txt \
	  --words $(RUNS)/sentences/words.txt --epochs 1 -o $@
$(RUNS)/shipped/vectors/vectors.json: $(RUNS)/subword.vec
	$(ADHOMINEM) model train experiments/shipped.toml $(VECTORS) -o $(RUNS)/shipped --until prepared
$(RUNS)/paper/vectors/vectors.json: $(RUNS)/subword.vec
	$(ADHOMINEM) model train experiments/paper.toml --corpus $(CORPORA)/hotels $(VECTORS) \
	  -o $(RUNS)/paper --until prepared

# Networks: four teachers and their pupil; six that each left other kinds out, and say what holds for a
# kind that a network has never seen; the paper's recipe on hotel reviews alone.
$(RUNS)/teachers/%/trained: experiments/teachers/%.toml $(RUNS)/shipped/vectors/vectors.json
	$(ADHOMINEM) model train $< --prepared $(RUNS)/shipped -o $(@D) --device $(DEVICE) --until trained
	touch $@
$(RUNS)/shipped/trained: experiments/shipped.toml $(TEACHERS:=/trained)
	$(ADHOMINEM) model train $< $(TEACHERS:%=--teacher %) -o $(@D) --device $(DEVICE) --until trained
	touch $@
$(RUNS)/small/prepared/manifest.json: $(RUNS)/shipped/vectors/vectors.json
	$(PYTHON) experiments/trim_prepared.py $(RUNS)/shipped --authors 100000 --lines 40 \
	  -o $(RUNS)/small
$(RUNS)/unseen/%/trained: experiments/unseen/%.toml $(RUNS)/small/prepared/manifest.json
	$(ADHOMINEM) model train $< --prepared $(RUNS)/small -o $(@D) --device $(DEVICE) --until trained
	touch $@
$(RUNS)/paper/trained: experiments/paper.toml $(RUNS)/paper/vectors/vectors.json
	$(ADHOMINEM) model train $< -o $(@D) --device $(DEVICE) --until trained
	touch $@
$(RUNS)/hrsn/trained: experiments/hrsn.toml $(RUNS)/paper/vectors/vectors.json
	$(ADHOMINEM) model train $< --prepared $(RUNS)/paper -o $(@D) --device $(DEVICE) --until trained
	touch $@

# Calibration on development authors, figures on test authors. The shipped network gets its views, and
# calibrations of all of them together.
$(RUNS)/%/evaluation.json: $(RUNS)/%/trained
	$(ADHOMINEM) model train experiments/$*.toml -o $(@D)
$(MEASURED)/pairs: $(RUNS)/shipped/evaluation.json $(UNSEEN_NETWORKS:=/trained)
	$(PYTHON) experiments/measure_pairs.py --network $(RUNS)/shipped/model --unseen $(RUNS)/unseen \
	  --corpora $(CORPORA) -o $(RUNS)/views
	$(DONE)
$(RUNS)/views/model/model.json: $(MEASURED)/pairs
	$(PYTHON) experiments/views.py --network $(RUNS)/shipped/model --measured $(RUNS)/views --version 12
$(MEASURED)/kinds: $(RUNS)/views/model/model.json
	$(PYTHON) experiments/measure_kinds.py --measured $(RUNS)/views --unseen $(RUNS)/unseen \
	  --corpora $(CORPORA) --pairs $(RUNS)/shipped/prepared/test -o results/$(@F).json
	rm -rf src/adhominem/models/adhominem
	cp -r $(RUNS)/views/model src/adhominem/models/adhominem
	cp $(RUNS)/shipped/history.json results/shipped-training.json
	$(PYTHON) experiments/card.py --corpora $(CORPORA)
	$(DONE)
$(MEASURED)/ablation: $(MEASURED)/kinds
	$(PYTHON) experiments/ablation.py --measured $(RUNS)/views --unseen $(RUNS)/unseen \
	  --corpora $(CORPORA) -o results/$(@F).json
	$(DONE)
$(MEASURED)/mixture: $(MEASURED)/kinds
	$(PYTHON) experiments/mixture.py adhominem --measured $(RUNS)/views -o results/$(@F).json
	$(DONE)
$(MEASURED)/voices: $(MEASURED)/kinds
	$(PYTHON) experiments/voices.py adhominem --corpora $(CORPORA) -o results/$(@F).json
	$(DONE)
$(MEASURED)/truth: $(foreach name,other-genres voices faithfulness lift,$(MEASURED)/$(name))
	$(PYTHON) experiments/truth.py adhominem $(firstword $(DEV_PAIRS)) -o results/$(@F).json \
	  --mails $(RUNS)/shipped/prepared/dev/cypherpunks_list.pairs.jsonl.gz
	$(DONE)
$(MEASURED)/hotels-all-pairs: $(MEASURED)/kinds
	$(ADHOMINEM) model evaluate adhominem $(RUNS)/shipped/prepared/test/hotels.pairs.jsonl.gz \
	  -o results/$(@F).json --force
	$(DONE)
$(MEASURED)/hotels-test: $(RUNS)/paper/evaluation.json
	cp $(RUNS)/paper/history.json results/hotels-training.json
	cp $< results/$(@F).json
	$(DONE)
$(MEASURED)/hrsn-test: $(RUNS)/hrsn/evaluation.json
	cp $< results/$(@F).json
	$(DONE)
$(MEASURED)/other-genres: $(MEASURED)/kinds
	$(PYTHON) experiments/other_genres.py adhominem --pan $(PAN) --hidden $(DATA)/ebg.parquet -o results/$(@F).json
	$(DONE)
$(MEASURED)/faithfulness: $(MEASURED)/kinds
	$(ADHOMINEM) model faithfulness adhominem $(DEV_PAIRS) --pairs 200 -o results/$(@F).json --store --force
	$(DONE)
$(MEASURED)/lift: $(MEASURED)/kinds
	$(ADHOMINEM) model analyse adhominem $(DEV_PAIRS) --texts 2000 -o results/$(@F).json --force
	$(DONE)
$(MEASURED)/robustness: $(MEASURED)/kinds
	$(PYTHON) experiments/disguised_pairs.py $(DATA)/ebg.parquet -o $(RUNS)/disguise
	$(ADHOMINEM) model robustness adhominem $(firstword $(DEV_PAIRS)) --most 2000 -o results/$(@F).json --force \
	  $(foreach kind,normal obfuscation imitation,$(RUNS)/disguise/$(kind).pairs.jsonl.gz)
	$(DONE)
$(MEASURED)/second-opinion: $(MEASURED)/kinds
	$(PYTHON) experiments/second_opinion.py adhominem $(CORPORA)/hotels $(firstword $(DEV_PAIRS)) -o results/$(@F).json
	$(DONE)
$(MEASURED)/lambdag: $(MEASURED)/kinds
	$(PYTHON) experiments/lambdag.py adhominem --corpora $(CORPORA) -o results/$(@F).json
	$(DONE)
$(MEASURED)/benchmark-%: $(MEASURED)/kinds
	$(PYTHON) benchmarks/$*.py -o results/$(@F).json
	$(DONE)
$(MEASURED)/house: $(MEASURED)/kinds
	$(PYTHON) benchmarks/house.py -o results/$(@F).json
	$(DONE)

# What adapting the paper's model of hotel reviews to other texts brings.
$(MEASURED)/adaptation-%: $(RUNS)/paper/evaluation.json
	$(PYTHON) experiments/adaptation.py $(RUNS)/paper/model $(DATA)/$*.parquet \
	  --authors 50 200 1000 -o results/$(@F).json
	$(DONE)

.PHONY: all prepared networks
