# Jacobian. `make demo` and `make test` do all of their own set-up; nothing but Go, git and make is needed.

GO      ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo 0.1.0)
LDFLAGS  = -s -w -X github.com/jacobian-ledger/jacobian/capabilities.Version=$(VERSION)

GOFUMPT     = $(GO) run mvdan.cc/gofumpt@v0.12.0
STATICCHECK = $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: build demo setup test ci vet lint race fuzz crash bench inspector clean

build: bin/jacobian

bin/jacobian: FORCE
	@$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $@ ./cmd/jacobian

FORCE:

demo: build ## the first investigation, on a fresh ledger
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && ./bin/jacobian demo --dir "$$dir/ledger"

setup: ## Debian packages that the tests use
	@scripts/setup

test: setup ## everything, once
	$(GO) test ./...

ci: vet lint test race fuzz ## what .ci/run runs

vet:
	$(GO) vet ./...

lint:
	@out=$$($(GOFUMPT) -l .) && [ -z "$$out" ] || { echo "gofumpt:"; echo "$$out"; exit 1; }
	$(STATICCHECK) ./...

race:
	$(GO) test -race -short ./...

FUZZTIME ?= 5s
fuzz: ## every fuzz target, FUZZTIME each
	@scripts/fuzz $(FUZZTIME)

crash: ## 500 kill -9 cycles
	JACOBIAN_CRASHES=500 $(GO) test -run Crash -count=1 -v -timeout 60m ./ledger/jetstream

bench: build ## figures of docs/benchmarks.md
	$(GO) test -run '^$$' -bench . -benchtime 1s ./ledger/... ./query/... ./projections/... ./embed/...

inspector: build ## the official MCP Inspector against the binary; needs npm
	@scripts/inspector.sh ./bin/jacobian

clean:
	rm -rf bin
