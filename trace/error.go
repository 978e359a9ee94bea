package trace

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"

	"github.com/go-acap/acap/ops"
)

// UserLine returns the innermost line of the running goroutine that is the user's, or nothing in a
// notebook, whose cells have no frames.
func UserLine() (file string, line int) {
	var pcs [64]uintptr
	f := User(runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])]).Next)
	if f.PC == 0 || Internal(f) {
		return "", 0
	}
	return f.File, f.Line
}

// Where is [UserLine] as typed errors have it: "file.go:12", or nothing.
func Where() string {
	file, line := UserLine()
	if file == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}

// Raise panics with an error, which names the user's line if it is a typed one of package ops.
func Raise(err error) {
	if e := ops.At(err, Where()); e != nil {
		err = e
	}
	panic(err)
}

// Need raises an error if an argument is nil: an interface without a value, or a pointer or
// function that is.
func Need(op, what string, v any) {
	if v != nil {
		switch r := reflect.ValueOf(v); r.Kind() {
		case reflect.Pointer, reflect.Func, reflect.Map, reflect.Slice:
			if !r.IsNil() {
				return
			}
		default:
			return
		}
	}
	Raise(&ops.ArgError{Op: op, Detail: what + " is nil"})
}
