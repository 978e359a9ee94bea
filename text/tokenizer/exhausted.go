package tokenizer

import (
	"errors"
	"fmt"
)

// ErrSteps says that an expression of the file takes more than four million steps, and 256 for each byte, for a text. Such an expression repeats
// repetitions, such as (a+)+, and takes exponential time.
var ErrSteps = errors.New("an expression takes too many steps")

// exhausted is what a search panics with that has no steps left.
type exhausted struct{ err error }

// caught, deferred, makes an error of the panic of a search that has no steps left.
func caught(err *error) {
	switch e := recover().(type) {
	case nil:
	case exhausted:
		*err = e.err
	default:
		panic(e)
	}
}

// replaced is normalize with an error for a text that the expression has no steps for.
func (n *replace) replaced(text string) (out string, err error) {
	defer caught(&err)
	return n.normalize(text), nil
}

// replaceAll refuses an expression of a decoder that has no steps for a token.
func (n *replace) replaceAll(tokens []string) error {
	for id, text := range tokens {
		if _, err := n.replaced(text); err != nil {
			return fmt.Errorf("token %d: %w", id, err)
		}
	}
	return nil
}
