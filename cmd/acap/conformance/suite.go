package conformance

import (
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/go-acap/acap/device"
)

// Suite is recorded tests of one kind.
type Suite interface {
	// Tests are the names of the tests.
	Tests() []string

	// Run runs one. Its error says why a test cannot be read.
	Run(d device.Device, test string) ([]Row, error)
}

// Row is the outcome of a test, or of a part of a test; as JSON it is a line of a result.
type Row interface {
	Count() (passed, total int)
}

// Outcome is the result of one test.
type Outcome struct {
	Name    string `json:"name"`
	Outcome string `json:"outcome"` // passed, failed or unsupported
	Reason  string `json:"reason,omitempty"`
}

// Count implements [Row].
func (o Outcome) Count() (passed, total int) {
	if o.Outcome == "passed" {
		passed = 1
	}
	return passed, 1
}

// kinds has the function that opens the suites of each kind: of the files whose names contain the text only.
var kinds = map[string]func(paths []string, only string) (Suite, error){
	"opinfo":    openOpinfo,
	"stablehlo": openStableHLO,
	"texts":     openTexts,
	"models": func(paths []string, only string) (Suite, error) {
		return openFolders(paths, only, true, checkModel)
	},
	"onnx": func(paths []string, only string) (Suite, error) {
		return openFolders(paths, only, false, checkNodeTest)
	},
}

// Kinds are the names of the kinds of suites.
func Kinds() []string { return slices.Sorted(maps.Keys(kinds)) }

// Open opens a suite of a kind. Only tests whose name contains the text only are of it; of opinfo,
// only the families that it lists, separated by commas.
func Open(kind string, paths []string, only string) (Suite, error) {
	open := kinds[kind]
	if open == nil {
		return nil, fmt.Errorf("no suite %q; there are %s", kind, strings.Join(Kinds(), ", "))
	}
	s, err := open(paths, only)
	if err == nil && len(s.Tests()) == 0 {
		err = errors.New("no tests there")
	}
	return s, err
}

// onePath returns the only path.
func onePath(paths []string) (string, error) {
	if len(paths) != 1 {
		return "", fmt.Errorf("want one folder or archive, have %d", len(paths))
	}
	return paths[0], nil
}

// CatchPanic makes an error of a panic: a suite goes on. It is deferred.
func CatchPanic(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v at %s", p, strings.ReplaceAll(string(debug.Stack()), "\n", " "))
	}
}
