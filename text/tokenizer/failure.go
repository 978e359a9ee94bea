package tokenizer

import (
	"errors"
	"fmt"
)

// ErrSteps says that an expression of the file takes more than four million steps, and 256 for each byte, for a text.
// Such an expression repeats repetitions, such as (a+)+, and takes exponential time.
var ErrSteps = errors.New("an expression takes too many steps")

// ErrUnknown says that a text has a word, or a character, which is not in the vocabulary, and that the vocabulary has
// no token for what is unknown.
var ErrUnknown = errors.New("no token for what is unknown")

// absent is the number of the token for what is unknown if the file wants such a token and the vocabulary has none. BPE
// wants none if the file names none: what is unknown is left out then.
const absent = -2

// unknownToken returns the number of the token for what is unknown, and panics if the vocabulary has none for the text.
func unknownToken(id int32, text string) int32 {
	if id == absent {
		panic(failure{fmt.Errorf("%w: %.40q", ErrUnknown, text)})
	}
	return id
}

// failure is what a model panics with for a text that it makes no tokens of: an expression has no steps left, or a word
// no token.
type failure struct{ err error }

// caught, deferred, makes an error of a failure.
func caught(err *error) {
	switch e := recover().(type) {
	case nil:
	case failure:
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
