package natsd

import "testing"

// TestStart_SyncsEveryWrite asks the running server: without SyncAlways everything works, until the power
// is cut.
func TestStart_SyncsEveryWrite(t *testing.T) {
	s, err := Start(Options{StoreDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	if c := s.server.JetStreamConfig(); c == nil || !c.SyncAlways {
		t.Errorf("the server does not sync every write: %+v", c)
	}
}
