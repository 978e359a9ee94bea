package engine

import "sync/atomic"

// Users counts who uses something that must not be freed under them, such as machine
// code that is running. Once it is closed nobody may enter, and the last one frees it.
// The zero value is open and has no users.
type Users struct{ state atomic.Int64 }

// closing is what Close adds to the number of users.
const closing = 1 << 62

// Enter makes the caller a user, who must Leave. It reports false after Close.
func (u *Users) Enter() bool {
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

// Leave ends what Enter began, and reports whether the caller has to free the thing.
func (u *Users) Leave() bool { return u.state.Add(-1) == closing }

// Close lets nobody enter any more, and reports whether the caller has to free the
// thing: not if a user is left, who will, nor if it was closed before.
func (u *Users) Close() bool { return u.state.Or(closing) == 0 }
