package buf

// largePage is the size of the pages that processors have beside those of 4 KiB, and leastLasting how many
// bytes are worth a call of the system.
const (
	largePage    = 2 << 20
	leastLasting = 64 << 10
)

// Lasting is [Aligned] for memory that is filled at once and kept for long, such as what is read from a cache.
// To get it page by page, as it is written, takes longer than to fill it.
func Lasting(n int) []byte {
	b := Aligned(n)
	if n >= leastLasting {
		populate(b)
	}
	return b
}
