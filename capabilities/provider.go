package capabilities

import (
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/digest"
)

// Version is the version of this program. A release build replaces it by -ldflags -X.
var Version = "0.1.0"

// goProvider is this program itself, with the libraries that it was built with. Its digest changes
// with the version of any dependency, with the Go version and, where known, with the commit.
var goProvider = sync.OnceValue(func() events.Provider {
	var text string
	if info, ok := debug.ReadBuildInfo(); ok {
		text = info.GoVersion
		for _, m := range info.Deps {
			text += "\n" + m.Path + " " + m.Version + " " + m.Sum
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" || s.Key == "vcs.modified" {
				text += "\n" + s.Key + "=" + s.Value
			}
		}
	}
	return events.Provider{
		Name: "jacobian", Version: Version, Digest: digest.Object([]byte(text), "go-build", Version), DigestKind: "go-build",
		Platform: runtime.GOOS + "/" + runtime.GOARCH, License: "Apache-2.0", Features: []string{}, Availability: "AVAILABLE",
	}
})
