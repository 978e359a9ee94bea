package compiler

import "sync/atomic"

// users counts who uses something that must not be freed under them, such as machine
// code that is running. Once it is closed nobody may enter, and the last one frees it.
// The zero value is open and has no users.
type users struct{ state atomic.Int64 }

// closing is the number that close adds to the number of users.
const closing = 1 << 62

// enter makes the caller a user, who must leave. It reports false after close.
func (u *users) enter() bool {
	for {
		old := u.state.Load()
		if old >= closing {
			return false
		}
		if u.state.CompareAndSwap(old, old+1) {
			return true
		}
	}
}

// leave ends what enter began, and reports whether the caller has to free the thing.
func (u *users) leave() bool { return u.state.Add(-1) == closing }

// close lets nobody enter any more, and reports whether the caller has to free the
// thing: not if a user is left, who will, nor if it was closed before.
func (u *users) close() bool { return u.state.Or(closing) == 0 }
