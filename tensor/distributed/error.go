package distributed

import "fmt"

// RankError says which rank a collective failed for.
type RankError struct {
	Rank   int // the one to blame
	Detail string
	Err    error // what that rank reported, or nil
}

// Error implements error.
func (e *RankError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("distributed: rank %d %s: %v", e.Rank, e.Detail, e.Err)
	}
	return fmt.Sprintf("distributed: rank %d %s", e.Rank, e.Detail)
}

// Unwrap returns the error of that rank.
func (e *RankError) Unwrap() error { return e.Err }
