package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/go-acap/acap/device/plan"
)

func init() {
	register(command{"version", "print which version runs: the module's, the commit, and what it was built with", version})
}

// versionInfo describes the running program.
type versionInfo struct {
	Version   string `json:"version"`          // of the module; (devel) if it was built in a checkout without a tag
	Commit    string `json:"commit,omitempty"` // of the checkout that it was built in
	Date      string `json:"date,omitempty"`   // of the commit
	Modified  bool   `json:"modified"`         // the checkout was not as the commit has it
	Go        string `json:"go"`
	Platform  string `json:"platform"`
	Processor string `json:"processor"` // what kernels are compiled for
}

// runningVersion reads what the Go linker wrote into the program.
func runningVersion() versionInfo {
	v := versionInfo{Version: "(unknown)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Processor: plan.Processor()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if v.Version = info.Main.Version; v.Version == "" {
		v.Version = "(devel)"
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.time":
			v.Date = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

func (v versionInfo) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "acap %s\n", v.Version)
	if v.Commit != "" {
		fmt.Fprintf(&b, "commit     %s of %s", v.Commit, v.Date)
		if v.Modified {
			b.WriteString(", with changes")
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "go         %s %s\nprocessor  %s\n", v.Go, v.Platform, v.Processor)
	return b.String()
}

func version(args []string) error {
	f := newFlags("version", "[-json]")
	asJSON := f.Bool("json", false, "print JSON")
	if _, err := parseBetween(f, args, 0, 0); err != nil {
		return err
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(runningVersion())
	}
	_, err := fmt.Fprint(stdout, runningVersion())
	return err
}
