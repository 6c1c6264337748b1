package sat

import (
	"encoding/base64"
	"fmt"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// ModelInput is a formula with an assignment to check.
type ModelInput struct {
	CNF   values.CNF `json:"cnf" doc:"formula in conjunctive normal form"`
	Model []int      `json:"model" doc:"literals that are to be true, each variable at most once; every clause must contain one of them"`
}

// LRATInput is a formula with a proof to check.
type LRATInput struct {
	CNF   values.CNF `json:"cnf" doc:"formula in conjunctive normal form; clause i, from 1, has id i in the proof"`
	Proof string     `json:"proof" doc:"LRAT proof as text"`
}

// DRATInput is a formula with a proof to check, and what its deletions mean.
type DRATInput struct {
	CNF       values.CNF `json:"cnf" doc:"formula in conjunctive normal form"`
	Proof     string     `json:"proof,omitempty" doc:"DRAT proof as text; exactly one of proof and proof_base64 is given"`
	Binary    string     `json:"proof_base64,omitempty" doc:"binary DRAT proof in base64 (RFC 4648, with padding)"`
	Deletions string     `json:"deletions" enum:"STRICT,UNIT_DELETIONS_IGNORED" doc:"STRICT removes what the proof says; UNIT_DELETIONS_IGNORED skips deletions of unit and absent clauses, as drat-trim does"`
}

// Validate refuses other words.
func (in *DRATInput) Validate() error { return deletions(in.Deletions) }

// UnsatInput is a formula with a proof in a named format.
type UnsatInput struct {
	CNF    values.CNF `json:"cnf" doc:"formula in conjunctive normal form"`
	Format string     `json:"format" enum:"lrat,drat,drat-binary,drat-unit-deletions-ignored,drat-binary-unit-deletions-ignored" doc:"format of the proof and meaning of its deletions"`
	Proof  string     `json:"proof,omitempty" doc:"the proof, if its format is text; exactly one of proof and proof_base64 is given"`
	Binary string     `json:"proof_base64,omitempty" doc:"the proof in base64 (RFC 4648, with padding)"`
}

// Validate refuses unknown formats.
func (in *UnsatInput) Validate() error {
	switch in.Format {
	case formatLRAT, "drat", "drat-binary", "drat-unit-deletions-ignored", "drat-binary-unit-deletions-ignored":
		return nil
	}
	return jcs.In("format", jcs.Fail("lrat, drat, drat-binary, drat-unit-deletions-ignored or drat-binary-unit-deletions-ignored", fmt.Sprintf("%.40q", in.Format), "say how the proof is written"))
}

func deletions(s string) error {
	if s != "STRICT" && s != "UNIT_DELETIONS_IGNORED" {
		return jcs.In("deletions", jcs.Fail("STRICT or UNIT_DELETIONS_IGNORED", fmt.Sprintf("%.40q", s), "most solvers write proofs for drat-trim, which ignores unit deletions"))
	}
	return nil
}

// proof is the one of its two spellings that is given.
func proof(text, binary string) ([]byte, error) {
	if text != "" && binary != "" {
		return nil, capabilities.Invalid("/proof_base64", "exactly one of proof and proof_base64", "both", "remove one")
	}
	if binary == "" {
		return []byte(text), nil
	}
	data, err := base64.StdEncoding.Strict().DecodeString(binary)
	if err != nil {
		return nil, capabilities.Invalid("/proof_base64", "base64 with padding (RFC 4648)", err.Error(), "encode the bytes of the proof")
	}
	return data, nil
}

func refutes(f values.CNF, format string, data []byte) capabilities.Submission {
	return capabilities.Submission{
		Claim: satisfiable(f), Candidate: jcs.MustMarshal(Decision{false, []int{}}), Format: format, Certificate: data,
		Scope: fmt.Sprintf("the formula of %d clauses over %d variables", len(f.Clauses), f.Variables),
	}
}

var _ = capabilities.Define(pack, capabilities.Definition[ModelInput, capabilities.VerdictOutput]{
	ID:          "sat.model.verify",
	Title:       "check that an assignment satisfies a propositional formula",
	Description: "Has every clause evaluated under the given literals. Accepted, it makes the record that the formula is satisfiable. The assignment may be partial if each clause has a true literal already.",
	Source:      source,
	Kind:        capabilities.KindVerification,
	Tags:        []string{"satisfiability", "verification"},
	Needs: []string{
		"check a satisfying assignment", "does this assignment satisfy the clauses", "verify the model of a SAT solver", "evaluate a CNF under an assignment",
	},
	Aliases:    []string{"check model"},
	InputKinds: []string{"cnf", "assignment"},
	Emits:      []string{formatAssignment},
	CheckedBy:  []string{"sat.model"},
	Examples: []capabilities.Example{
		{
			Name: "model", Input: `{"cnf":{"variables":4,"clauses":[[1,2],[-1,3],[-2,3],[-3,4],[-4,1]]},"model":[1,-2,3,4]}`,
			Output: `{"accepted":true,"method":"evaluated every clause under the assignment","coverage":"all 5 clauses","reason":""}`,
		},
		{
			Name: "no model", Input: `{"cnf":{"variables":1,"clauses":[[1],[-1]]},"model":[1]}`,
			Output: `{"accepted":false,"method":"","coverage":"","reason":"clause 2 [-1] has no true literal"}`,
		},
	},
	Submit: func(in ModelInput) (capabilities.Submission, error) {
		return capabilities.Submission{
			Claim: satisfiable(in.CNF), Candidate: jcs.MustMarshal(Decision{true, in.Model}), Format: formatAssignment, Certificate: []byte{},
			Scope: fmt.Sprintf("the formula of %d clauses over %d variables", len(in.CNF.Clauses), in.CNF.Variables),
		}, nil
	},
})

var _ = capabilities.Define(pack, capabilities.Definition[UnsatInput, capabilities.VerdictOutput]{
	ID:          "sat.unsat_proof.verify",
	Title:       "check a proof that a propositional formula is unsatisfiable",
	Description: "Has a refutation in LRAT or DRAT replayed against the formula by the checker of its format. Accepted, it makes the record that the formula is not satisfiable; the format in the record says what deletions meant. A rejection says nothing about the formula.",
	Source:      "Wetzler, Heule and Hunt, DRAT-trim, SAT 2014; Cruz-Filipe et al., Efficient Certified RAT Verification, CADE 2017",
	Kind:        capabilities.KindVerification,
	Tags:        []string{"satisfiability", "proof", "verification"},
	Needs: []string{
		"check an unsatisfiability proof", "verify the refutation of a SAT solver", "replay a DRAT or LRAT proof", "is this UNSAT certificate right",
	},
	Aliases:    []string{"proof checking", "UNSAT certificate"},
	InputKinds: []string{"cnf", "proof"},
	Emits:      []string{formatLRAT, "drat", "drat-binary", "drat-unit-deletions-ignored", "drat-binary-unit-deletions-ignored"},
	CheckedBy:  []string{"sat.lrat", "sat.drat"},
	Examples: []capabilities.Example{{
		Name: "LRAT", Input: `{"cnf":{"variables":2,"clauses":[[1,2],[-1,2],[1,-2],[-1,-2]]},"format":"lrat","proof":"5 2 0 1 2 0\n6 0 5 3 4 0\n"}`,
		Output: `{"accepted":true,"method":"replayed every step of the LRAT proof with its hints in strict order","coverage":"4 clauses of the formula, 2 added (0 by RAT), 5 hints","reason":""}`,
	}},
	Submit: func(in UnsatInput) (capabilities.Submission, error) {
		data, err := proof(in.Proof, in.Binary)
		return refutes(in.CNF, in.Format, data), err
	},
})

var _ = capabilities.Define(pack, capabilities.Definition[LRATInput, capabilities.VerdictOutput]{
	ID:          "sat.lrat.verify",
	Title:       "check an LRAT refutation of a propositional formula",
	Description: "Has an LRAT proof replayed: each hint, in strict order, must be unit and the last one false, ids are fresh, RAT steps name every clause with the negated pivot, and the empty clause needs a real conflict. A rejection names the step.",
	Source:      "Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp, Efficient Certified RAT Verification, CADE 2017",
	Kind:        capabilities.KindVerification,
	Tags:        []string{"satisfiability", "proof", "verification"},
	Needs:       []string{"check an LRAT proof", "verify a refutation with hints", "lrat-check", "replay an LRAT file of cadical or drat-trim"},
	Aliases:     []string{"LRAT", "lrat-check"},
	InputKinds:  []string{"cnf", "proof"},
	Emits:       []string{formatLRAT},
	CheckedBy:   []string{"sat.lrat"},
	Examples: []capabilities.Example{
		{
			Name: "hints out of order", Input: `{"cnf":{"variables":2,"clauses":[[1,2],[-1,2],[1,-2],[-1,-2]]},"proof":"5 2 0 1 2 0\n6 0 4 3 5 0\n"}`,
			Output: `{"accepted":false,"method":"","coverage":"","reason":"step 2 (id 6, byte 23): a hint has more than one unassigned literal: hint 4 has -1 and -2"}`,
		},
		{
			Name: "accepted", Input: `{"cnf":{"variables":1,"clauses":[[1],[-1]]},"proof":"3 0 1 2 0\n"}`,
			Output: `{"accepted":true,"method":"replayed every step of the LRAT proof with its hints in strict order","coverage":"2 clauses of the formula, 1 added (0 by RAT), 2 hints","reason":""}`,
		},
	},
	Submit: func(in LRATInput) (capabilities.Submission, error) {
		return refutes(in.CNF, formatLRAT, []byte(in.Proof)), nil
	},
})

var _ = capabilities.Define(pack, capabilities.Definition[DRATInput, capabilities.VerdictOutput]{
	ID:          "sat.drat.verify",
	Title:       "check a DRAT refutation of a propositional formula",
	Description: "Has a DRAT proof, text or binary, replayed forwards by unit propagation. What deletions mean is part of the question: strictly what the proof says, or with the deletion of unit and absent clauses ignored. The meaning is in the format of the record.",
	Source:      "Wetzler, Heule and Hunt, DRAT-trim: Efficient checking and trimming using expressive clausal proofs, SAT 2014",
	Kind:        capabilities.KindVerification,
	Tags:        []string{"satisfiability", "proof", "verification"},
	Needs:       []string{"check a DRAT proof", "verify a clausal proof of unsatisfiability", "drat-trim", "replay a RUP proof"},
	Aliases:     []string{"DRAT", "RUP", "drat-trim"},
	InputKinds:  []string{"cnf", "proof"},
	Emits:       []string{"drat", "drat-binary", "drat-unit-deletions-ignored", "drat-binary-unit-deletions-ignored"},
	CheckedBy:   []string{"sat.drat"},
	Examples: []capabilities.Example{
		{
			Name: "unit deleted, strictly", Input: `{"cnf":{"variables":2,"clauses":[[1],[-1,2],[-1,-2]]},"proof":"d 1 0\n0\n","deletions":"STRICT"}`,
			Output: `{"accepted":false,"method":"","coverage":"","reason":"step 2 (byte 7): a clause is neither RUP nor RAT on its first literal: propagation does not refute the clauses present"}`,
		},
		{
			Name: "unit deletion ignored", Input: `{"cnf":{"variables":2,"clauses":[[1],[-1,2],[-1,-2]]},"proof":"d 1 0\n0","deletions":"UNIT_DELETIONS_IGNORED"}`,
			Output: `{"accepted":true,"method":"replayed the DRAT proof forwards, deletions of unit and of absent clauses ignored","coverage":"3 clauses of the formula, 1 added (0 by RAT), 0 deleted, 1 deletions ignored","reason":""}`,
		},
	},
	Submit: func(in DRATInput) (capabilities.Submission, error) {
		data, err := proof(in.Proof, in.Binary)
		format := "drat"
		if in.Binary != "" {
			format = "drat-binary"
		}
		if in.Deletions == "UNIT_DELETIONS_IGNORED" {
			format += "-unit-deletions-ignored"
		}
		return refutes(in.CNF, format, data), err
	},
})
