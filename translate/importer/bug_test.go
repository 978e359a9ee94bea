package importer_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/translate/importer"
)

func recovered(f func()) (err error) {
	defer func() { err = importer.Bug(recover()) }()
	f()
	return nil
}

// TestBug: a mistake becomes an error with the line of the mistake; what is refused stays what it is.
func TestBug(t *testing.T) {
	err := recovered(func() {
		var list []int
		_ = list[len(list)]
	})
	require.ErrorContains(t, err, "BUG: runtime error: index out of range [0] with length 0 at importer/bug_test.go:")
	var bug *importer.BugError
	require.ErrorAs(t, err, &bug)
	require.ErrorContains(t, recovered(func() { panic("BUG: buf: wrong") }), "BUG: buf: wrong at importer/bug_test.go:")
	memory := &buf.MemoryError{What: "it", Bytes: 2, Limit: 1}
	require.Equal(t, error(memory), recovered(func() { panic(memory) }))
	require.NoError(t, recovered(func() { panic(errors.New("another")) }))
}
