package environment

import (
	"errors"
	"fmt"
	"os"
	"strconv"
)

// Error says that an environment variable has a value that cannot be used.
type Error struct {
	Variable, Value string
	Want            string // what is accepted
}

func (e *Error) Error() string { return fmt.Sprintf("%s=%q: want %s", e.Variable, e.Value, e.Want) }

// IsError reports whether an error comes from an [Error].
func IsError(err error) bool {
	var e *Error
	return errors.As(err, &e)
}

// Int returns the whole number from low to high that a variable has, or def if it is not
// set or empty. what names the number in errors.
func Int(variable, what string, low, high, def int) (int, error) {
	value := os.Getenv(variable)
	if value == "" {
		return def, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < low || n > high {
		return 0, &Error{variable, value, fmt.Sprintf("%s from %d to %d", what, low, high)}
	}
	return n, nil
}
