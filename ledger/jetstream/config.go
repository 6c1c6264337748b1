package jetstream

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/ledger"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Config says which log, and where.
type Config struct {
	// Conn is a connection to the server, embedded or not. The caller closes it, after the store.
	Conn *nats.Conn
	// Tenant is whose log it is; ledger.Operator for the operator log.
	Tenant string
	// Replicas is the number of servers that keep the stream. Zero means one.
	Replicas int
	// AckTimeout bounds the wait for one acknowledgement, past which the outcome is unknown. Zero
	// means ten seconds.
	AckTimeout time.Duration
}

func (c *Config) complete() error {
	if c.Conn == nil {
		return errors.New("expected a connection, found none")
	}
	if c.Replicas == 0 {
		c.Replicas = 1
	}
	if c.AckTimeout == 0 {
		c.AckTimeout = 10 * time.Second
	}
	return events.CheckTenant(c.Tenant)
}

// StreamName is the name of the tenant's stream.
func StreamName(tenant string) string {
	if tenant == ledger.Operator {
		return "JAC_OPERATOR"
	}
	return "JAC_" + tenant
}

func streamConfig(tenant string, replicas int) jetstream.StreamConfig {
	return AppendOnly(StreamName(tenant), root+"."+tenant+".>", replicas)
}

// AppendOnly is how the streams of a ledger are made, and must stay: nothing in it may drop, replace
// or hide a message.
func AppendOnly(name, subject string, replicas int) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name:               name,
		Subjects:           []string{subject},
		Retention:          jetstream.LimitsPolicy,
		MaxConsumers:       -1,
		MaxMsgs:            -1,
		MaxBytes:           -1,
		Discard:            jetstream.DiscardNew,
		MaxMsgsPerSubject:  -1,
		MaxMsgSize:         -1,
		Storage:            jetstream.FileStorage,
		Replicas:           replicas,
		Duplicates:         2 * time.Minute,
		DenyDelete:         true,
		DenyPurge:          true,
		AllowDirect:        true,
		AllowAtomicPublish: true,
	}
}

// Drift names the settings in which a stream differs from how it was made, in an error that wraps
// [ledger.ErrReadOnly].
func Drift(found, want jetstream.StreamConfig) error {
	found.Metadata = nil // the server's own version notes
	var differ []string
	f, w := reflect.ValueOf(found), reflect.ValueOf(want)
	for i := range f.NumField() {
		if a, b := f.Field(i).Interface(), w.Field(i).Interface(); !reflect.DeepEqual(a, b) {
			differ = append(differ, fmt.Sprintf("%s: expected %v, found %v", f.Type().Field(i).Name, b, a))
		}
	}
	if differ == nil {
		return nil
	}
	return fmt.Errorf("%w: the configuration of stream %s was changed (%s); history may be lost: audit the log, then restore the setting",
		ledger.ErrReadOnly, want.Name, strings.Join(differ, "; "))
}

// Create makes the log and opens it. The error wraps [ledger.ErrExists] if it is there already.
func Create(ctx context.Context, c Config) (*Store, error) {
	s, err := newStore(c)
	if err != nil {
		return nil, fmt.Errorf("jetstream: create: %w", err)
	}
	want := streamConfig(s.config.Tenant, s.config.Replicas)
	// The server accepts the creation of a stream that exists with the same settings, so ask first.
	// Whoever creates logs holds the lock of the data directory.
	if _, err = s.js.Stream(ctx, want.Name); err == nil {
		return nil, fmt.Errorf("jetstream: create: %w: stream %s", ledger.ErrExists, want.Name)
	}
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		_, err = s.js.CreateStream(ctx, want)
	}
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		err = ledger.ErrExists
	}
	if err != nil {
		return nil, fmt.Errorf("jetstream: create stream %s: %w", want.Name, err)
	}
	return s, s.open(ctx)
}

// Open opens a log that exists. The error wraps [ledger.ErrNotFound] if it does not, and
// [ledger.ErrReadOnly], naming the settings, if its stream's configuration was changed.
func Open(ctx context.Context, c Config) (*Store, error) {
	s, err := newStore(c)
	if err != nil {
		return nil, fmt.Errorf("jetstream: open: %w", err)
	}
	if err := s.open(ctx); err != nil {
		return nil, fmt.Errorf("jetstream: open: %w", err)
	}
	return s, nil
}

// check compares the stream with how it was made.
func (s *Store) check(ctx context.Context) error {
	want := streamConfig(s.config.Tenant, s.config.Replicas)
	stream, err := s.js.Stream(ctx, want.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return fmt.Errorf("%w: stream %s", ledger.ErrNotFound, want.Name)
	}
	if err != nil {
		return fmt.Errorf("read the configuration of stream %s: %w", want.Name, err)
	}
	info := stream.CachedInfo()
	if info.State.FirstSeq > 1 || info.State.NumDeleted > 0 {
		return fmt.Errorf("%w: stream %s begins at %d and lacks %d events after; restore it from its archive",
			ledger.ErrCorrupt, want.Name, info.State.FirstSeq, info.State.NumDeleted)
	}
	return Drift(info.Config, want)
}
