package store_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/store"
)

// Every bit counts, every length is another, and so is the order.
func TestDigest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	seen := map[[32]byte]int{}
	for n := range 300 {
		for _, zero := range []bool{true, false} {
			data := make([]byte, n)
			for i := range data {
				if !zero {
					data[i] = byte(r.Uint32())
				}
			}
			sum := store.Digest(data)
			require.Equal(t, sum, store.Digest(data))
			if n > 0 {
				i := r.IntN(n)
				data[i] ^= 1 << r.IntN(8)
				require.NotEqual(t, sum, store.Digest(data))
			}
			if n > 0 || zero {
				_, ok := seen[sum]
				require.False(t, ok, n)
				seen[sum] = n
			}
		}
	}
	data := make([]byte, 4096)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	sum := store.Digest(data)
	for i := range data {
		data[i] ^= 0x10
		require.NotEqual(t, sum, store.Digest(data), i)
		data[i] ^= 0x10
	}
}

func BenchmarkDigest(b *testing.B) {
	data := make([]byte, 32<<20)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		store.Digest(data)
	}
}
