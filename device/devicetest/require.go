package devicetest

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
)

// The kit checks with functions of its own, so that who tests a device takes no other module along.

// fail ends a test with what is wrong and what was tested: a format with values, or one value.
func fail(t testing.TB, wrong string, what []any) {
	t.Helper()
	switch {
	case len(what) == 0:
		t.Fatal(wrong)
	case len(what) == 1:
		t.Fatalf("%s: %v", wrong, what[0])
	default:
		t.Fatalf("%s: %s", wrong, fmt.Sprintf(what[0].(string), what[1:]...))
	}
}

// holds fails a test for which something is not so.
func holds(t testing.TB, is bool, what ...any) {
	t.Helper()
	if !is {
		fail(t, "it does not hold", what)
	}
}

func equal(t testing.TB, want, got any, what ...any) {
	t.Helper()
	if !reflect.DeepEqual(want, got) {
		fail(t, fmt.Sprintf("want %.500v, got %.500v", want, got), what)
	}
}

func noError(t testing.TB, err error, what ...any) {
	t.Helper()
	if err != nil {
		fail(t, "an error: "+err.Error(), what)
	}
}

func hasError(t testing.TB, err error, what ...any) {
	t.Helper()
	if err == nil {
		fail(t, "there is no error", what)
	}
}

func isError(t testing.TB, err, want error, what ...any) {
	t.Helper()
	if !errors.Is(err, want) {
		fail(t, fmt.Sprintf("the error is %v, not %v", err, want), what)
	}
}
