package schedule

// EachContext as a number of tokens of the cache has room for the context of each sequence.
const EachContext = -1

// CacheTokens returns the number of tokens of all sequences that a cache has room for: 0 stands for the context of one
// sequence, and [EachContext] for the context of each.
func CacheTokens(cache, context, sequences int) int {
	switch cache {
	case 0:
		return context
	case EachContext:
		return context * sequences
	}
	return cache
}
