package jetstream

import (
	"errors"
	"testing"

	"github.com/jacobian-ledger/jacobian/ledger"
)

// TestAcknowledged_TellsOutcomesApart reads answers that a single embedded server gives rarely or never.
func TestAcknowledged_TellsOutcomesApart(t *testing.T) {
	for _, c := range []struct {
		name, answer string
		messages     int
		seq          uint64
		err          error // nil with seq 0: another error, and nothing is stored
	}{
		{"stored", `{"stream":"JAC_t","seq":7}`, 1, 7, nil},
		{"stored before", `{"stream":"JAC_t","seq":7,"duplicate":true}`, 1, 7, nil},
		{"a batch", `{"stream":"JAC_t","seq":9,"batch":"b","count":3}`, 3, 9, nil},
		{"a batch of another size", `{"stream":"JAC_t","seq":9,"batch":"b","count":2}`, 3, 0, ledger.ErrOutcomeUnknown},
		{"another stream", `{"stream":"JAC_u","seq":7}`, 1, 0, ledger.ErrOutcomeUnknown},
		{"no sequence", `{"stream":"JAC_t"}`, 1, 0, ledger.ErrOutcomeUnknown},
		{"not JSON", `+OK`, 1, 0, ledger.ErrOutcomeUnknown},
		{"nothing", ``, 1, 0, ledger.ErrOutcomeUnknown},
		{"conflict on one replica", `{"stream":"JAC_t","error":{"code":400,"err_code":10071,"description":"wrong last sequence: 5"}}`, 1, 0, ledger.ErrConflict},
		{"conflict on several", `{"stream":"JAC_t","error":{"code":400,"err_code":10164,"description":"wrong last sequence"}}`, 1, 0, ledger.ErrConflict},
		{"duplicate in a batch", `{"stream":"JAC_t","error":{"code":400,"err_code":10201}}`, 2, 0, ledger.ErrOutcomeUnknown},
		{"duplicate in flight", `{"stream":"JAC_t","error":{"code":409,"err_code":10158}}`, 1, 0, ledger.ErrOutcomeUnknown},
		{"another refusal", `{"stream":"JAC_t","error":{"code":400,"err_code":10176,"description":"incomplete"}}`, 2, 0, nil},
		{"a failed disk", `{"error":{"code":503,"err_code":10077,"description":"no space left on device"}}`, 1, 0, ledger.ErrOutcomeUnknown},
	} {
		s := &Store{stream: "JAC_t", grew: make(chan struct{})}
		seq, err := s.acknowledged([]byte(c.answer), c.messages)
		known := errors.Is(err, ledger.ErrConflict) || errors.Is(err, ledger.ErrOutcomeUnknown)
		if seq != c.seq || c.err != nil && !errors.Is(err, c.err) || c.err == nil && (known || (err == nil) != (c.seq > 0)) {
			t.Errorf("%s: %d, %v", c.name, seq, err)
		}
		if stopped := errors.Is(s.failure(), ledger.ErrReadOnly); stopped != (c.name == "a failed disk") {
			t.Errorf("%s: appends stopped: %t", c.name, stopped)
		}
	}
}
