# The shipped model and all its figures, from raw corpora, on a machine with a GPU:
#
#   make shipped DATA=data GLOVE=glove.txt
#
# DATA holds tripadvisor.parquet, blogs.parquet, reddit.parquet, imdb.parquet, amazon/, pan/ and
# ebg.parquet. Every step is a command of the package; one that was stopped goes on, one that is done
# is not done again.
DATA ?= data
GLOVE ?= glove.txt
DEVICE ?= cuda
RUNS ?= runs
BIN ?= .venv/bin

ADHOMINEM := $(BIN)/adhominem
PYTHON := $(BIN)/python
CORPORA := $(RUNS)/corpora
LEARNT := $(foreach genre,hotels blogs reddit,--corpus $(CORPORA)/$(genre))
UNSEEN := $(foreach genre,imdb amazon,--unseen $(CORPORA)/$(genre))
TEACHERS := $(foreach number,1 2 3 4 5,$(RUNS)/teachers/$(number))
PREPARED := $(foreach genre,hotels blogs reddit imdb amazon,$(CORPORA)/$(genre)/manifest.json)
TRAIN := $(LEARNT) $(UNSEEN) --vectors $(GLOVE) --vectors $(RUNS)/subword.vec --device $(DEVICE)
PAN := $(foreach name,pan13_en_train pan14_en_essays_train pan14_en_novels_train pan15_en_train,$(DATA)/pan/$(name))

all: results/shipped-test.json results/other-genres.json results/faithfulness.json \
  results/hotels-test.json results/adaptation-imdb.json results/adaptation-blogs.json

$(CORPORA)/hotels/manifest.json:
	$(ADHOMINEM) corpus build $(DATA)/tripadvisor.parquet -o $(@D)
$(CORPORA)/reddit/manifest.json:
	$(ADHOMINEM) corpus build $(DATA)/reddit.parquet --min-tokens 40 -o $(@D)
$(CORPORA)/amazon/manifest.json:
	$(ADHOMINEM) corpus build $(DATA)/amazon/*.json.gz -o $(@D)
$(CORPORA)/%/manifest.json:
	$(ADHOMINEM) corpus build $(DATA)/$*.parquet -o $(@D)

$(RUNS)/subword.vec: $(PREPARED)
	$(ADHOMINEM) train experiments/shipped.toml $(LEARNT) $(UNSEEN) -o $(RUNS)/words --until prepared
	$(PYTHON) experiments/export_sentences.py $(RUNS)/words/prepared -o $(RUNS)/words
	$(PYTHON) experiments/subword_vectors.py --sentences $(RUNS)/words/sentences.txt \
	  --words $(RUNS)/words/words.txt -o $@

$(RUNS)/teachers/%/checkpoint.safetensors: experiments/teachers/%.toml $(RUNS)/subword.vec
	$(ADHOMINEM) train $< $(TRAIN) -o $(@D) --until trained

$(RUNS)/shipped/evaluation.json: experiments/shipped.toml $(TEACHERS:=/checkpoint.safetensors)
	$(ADHOMINEM) train $< $(TRAIN) $(TEACHERS:%=--teacher %) -o $(@D)

results/shipped-test.json: $(RUNS)/shipped/evaluation.json
	rm -rf src/adhominem/models/adhominem
	cp -r $(RUNS)/shipped/model src/adhominem/models/adhominem
	cp $(RUNS)/shipped/history.json results/shipped-training.json
	cp $< $@

results/other-genres.json: results/shipped-test.json
	$(PYTHON) experiments/other_genres.py adhominem --pan $(PAN) --hidden $(DATA)/ebg.parquet -o $@

results/faithfulness.json: results/shipped-test.json
	$(ADHOMINEM) faithfulness adhominem $(RUNS)/shipped/prepared/dev/hotels.pairs.jsonl.gz \
	  $(RUNS)/shipped/prepared/dev/blogs.pairs.jsonl.gz --pairs 100 -o $@ --store --force

# The paper's recipe on hotel reviews alone, and what adapting that model to other texts brings.
$(RUNS)/paper/evaluation.json: experiments/paper.toml $(RUNS)/subword.vec
	$(ADHOMINEM) train $< --corpus $(CORPORA)/hotels --vectors $(GLOVE) \
	  --vectors $(RUNS)/subword.vec --device $(DEVICE) -o $(@D)

results/hotels-test.json: $(RUNS)/paper/evaluation.json
	cp $< $@

results/adaptation-%.json: $(RUNS)/paper/evaluation.json
	$(PYTHON) experiments/adaptation.py $(RUNS)/paper/model $(DATA)/$*.parquet \
	  --authors 50 200 1000 -o $@

.PHONY: all
.PRECIOUS: $(CORPORA)/%/manifest.json $(RUNS)/teachers/%/checkpoint.safetensors
