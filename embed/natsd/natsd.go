// Package natsd runs a NATS server with JetStream inside the process, for a ledger that needs no
// other machine.
//
// The server opens no socket: [Server.Conn] reaches it through memory. Its store is a directory, and
// every acknowledged write has been synced to disk first (SyncAlways): with the server's default a
// power cut loses what was acknowledged in the last two minutes. It installs no signal handlers and
// prints nothing; warnings and errors go to the caller's logger.
//
// A server owns its directory. Two servers on one directory destroy it, so whoever starts one holds
// the lock of package ledger/datadir.
package natsd

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Options say where the server keeps its data and to whom it complains.
type Options struct {
	// StoreDir is JetStream's directory. It is required; it is made if it is absent.
	StoreDir string
	// Logger receives warnings and errors, and notices at debug level. Nil discards them.
	Logger *slog.Logger
}

// MaxPayload is the largest message, header included. Events are smaller; artifacts go in chunks.
const MaxPayload = 1 << 20

// maxMemory bounds memory-backed streams and consumers, of which a ledger has only small ones.
const maxMemory = 64 << 20

// Conn is a connection to the server, for packages that only hand it on.
type Conn = nats.Conn

// subscriptionQueue holds several pages of a reader. The client's default allocates half a megabyte for
// each subscription, and reading one event makes one.
const subscriptionQueue = 4096

// Server is a running server.
type Server struct {
	server *server.Server
	log    *slog.Logger
}

// Start starts a server on the directory and returns when it takes messages.
func Start(o Options) (*Server, error) {
	if o.StoreDir == "" {
		return nil, errors.New("natsd: start: expected a store directory, found none")
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	ns, err := server.NewServer(&server.Options{
		ServerName:             "jacobian",
		DontListen:             true,
		NoSigs:                 true,
		JetStream:              true,
		StoreDir:               o.StoreDir,
		SyncAlways:             true,
		JetStreamMaxMemory:     maxMemory,
		JetStreamMaxStore:      -1,
		MaxPayload:             MaxPayload,
		DisableJetStreamBanner: true,
	})
	if err != nil {
		return nil, fmt.Errorf("natsd: configure: %w", err)
	}
	ns.SetLoggerV2(logger{o.Logger}, false, false, false)
	// Without a listener Start returns when it is done, or has given up and said why to the logger.
	ns.Start()
	if !ns.JetStreamEnabled() || !ns.ReadyForConnections(time.Second) {
		ns.Shutdown()
		ns.WaitForShutdown()
		return nil, fmt.Errorf("natsd: start: JetStream did not come up on %s; its log says why", o.StoreDir)
	}
	return &Server{server: ns, log: o.Logger}, nil
}

// Conn returns a new connection to the server through memory. The caller closes it.
func (s *Server) Conn() (*nats.Conn, error) {
	nc, err := nats.Connect("", nats.InProcessServer(s.server), nats.Name("jacobian"), nats.NoReconnect(),
		nats.Timeout(10*time.Second), nats.SyncQueueLen(subscriptionQueue),
		nats.ErrorHandler(func(_ *nats.Conn, sub *nats.Subscription, err error) {
			subject := ""
			if sub != nil {
				subject = sub.Subject
			}
			s.log.Error("nats connection", "error", err, "subject", subject)
		}))
	if err != nil {
		return nil, fmt.Errorf("natsd: connect: %w", err)
	}
	return nc, nil
}

// Stop closes the server and returns when its files are closed. Connections are cut.
func (s *Server) Stop() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
}

// logger sends the server's own messages to slog.
type logger struct{ to *slog.Logger }

var _ server.Logger = logger{}

func (l logger) Noticef(format string, v ...any) { l.to.Debug("nats: " + fmt.Sprintf(format, v...)) }
func (l logger) Warnf(format string, v ...any)   { l.to.Warn("nats: " + fmt.Sprintf(format, v...)) }
func (l logger) Errorf(format string, v ...any)  { l.to.Error("nats: " + fmt.Sprintf(format, v...)) }

func (l logger) Fatalf(format string, v ...any) { l.to.Error("nats: " + fmt.Sprintf(format, v...)) }

func (l logger) Debugf(format string, v ...any) { l.to.Debug("nats: " + fmt.Sprintf(format, v...)) }

func (l logger) Tracef(format string, v ...any) { l.to.Debug("nats: " + fmt.Sprintf(format, v...)) }
