# A network of many kinds of English, from raw corpora, on a machine with a GPU:
#
#   make --file experiments/kinds.mk DATA=data GLOVE=glove.txt            # learns from all kinds
#   make --file experiments/kinds.mk left-out DATA=data GLOVE=glove.txt   # the same without LEFT_OUT
#
# DATA holds tripadvisor.parquet, blogs.parquet, reddit.parquet, imdb.parquet, amazon/ and genres/, a
# file for each further kind. LEFT_OUT are kinds from which nothing is learnt, a mailing list, a forum, a
# chat, speech, fiction, questions and answers: how a network does there is how it does on a kind that
# it does not know, and by that the settings were chosen.
DATA ?= data
GLOVE ?= glove.txt
DEVICE ?= cuda
RUNS ?= runs
BIN ?= .venv/bin

ADHOMINEM := $(BIN)/adhominem
PYTHON := $(BIN)/python
CORPORA := $(RUNS)/corpora
OTHERS := $(basename $(notdir $(wildcard $(DATA)/genres/*.parquet)))
KINDS := hotels blogs reddit imdb $(OTHERS)
LEFT_OUT := indology_list ssvc_vanclub_forum komodo_discord lds_talks pan_fanfic stackexchange_small
LEARNT := $(filter-out $(LEFT_OUT),$(KINDS))
MANIFESTS := $(foreach kind,$(KINDS) amazon,$(CORPORA)/$(kind)/manifest.json)

all: $(RUNS)/kinds/trained
left-out: $(RUNS)/kinds-left-out/trained
prepared: $(RUNS)/kinds/vectors/vectors.json

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

$(RUNS)/kinds/prepared/manifest.json: $(MANIFESTS)
	$(ADHOMINEM) train experiments/kinds.toml $(KINDS:%=--corpus $(CORPORA)/%) \
	  --unseen $(CORPORA)/amazon -o $(RUNS)/kinds --until prepared
$(RUNS)/kinds-left-out/prepared/manifest.json: $(MANIFESTS)
	$(ADHOMINEM) train experiments/kinds.toml $(LEARNT:%=--corpus $(CORPORA)/%) \
	  $(LEFT_OUT:%=--unseen $(CORPORA)/%) --unseen $(CORPORA)/amazon -o $(RUNS)/kinds-left-out \
	  --until prepared

# Subword vectors of the kinds that are always learnt from, none of them louder than four million tokens.
$(RUNS)/%/subword.vec: $(RUNS)/%/prepared/manifest.json
	mkdir -p $(@D)/sentences
	$(PYTHON) experiments/export_sentences.py $(<D) -o $(@D)/sentences --most-tokens 4000000 \
	  --without $(LEFT_OUT)
	$(PYTHON) experiments/subword_vectors.py --sentences $(@D)/sentences/sentences.txt \
	  --words $(@D)/sentences/words.txt --epochs 1 -o $@
$(RUNS)/%/vectors/vectors.json: $(RUNS)/%/subword.vec
	$(ADHOMINEM) train experiments/kinds.toml --vectors $(GLOVE) --vectors $< -o $(RUNS)/$* \
	  --until prepared
$(RUNS)/%/trained: $(RUNS)/%/vectors/vectors.json
	$(ADHOMINEM) train experiments/kinds.toml -o $(@D) --device $(DEVICE) --until trained
	touch $@

.PHONY: all left-out prepared
.PRECIOUS: $(RUNS)/%/subword.vec $(RUNS)/%/vectors/vectors.json
