package hostile

import (
	"bytes"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/go-acap/acap/base/cputime"
	"github.com/go-acap/acap/base/emulator"
	"github.com/go-acap/acap/base/race"
)

// The bounds of opening a file. Memory counts whether it is garbage or not, and time as the processor's, so that
// neither depends on what else runs.
const (
	Time  = time.Second
	Bytes = 100 << 20
)

// Open writes a file and opens it. It fails the test if that takes too much, and returns the error of open.
func Open(t testing.TB, what string, data []byte, open func(path string) error) error {
	t.Helper()
	file, err := os.CreateTemp("", "hostile") // a folder for each of thousands of files takes longer than the files
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(file.Name())
	if _, err := file.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return OpenFile(t, what, file.Name(), open)
}

// OpenFile is [Open] for a file that is there. The error is the one of open.
func OpenFile(t testing.TB, what, path string, open func(path string) error) error {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := cputime.Used()
	err := open(path)
	took := cputime.Used() - start
	runtime.ReadMemStats(&after)
	if took > Time && !race.Enabled && !emulator.On() {
		t.Errorf("%s: %v of the processor", what, took)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > Bytes {
		t.Errorf("%s: %d bytes of memory", what, n)
	}
	return err
}

// Variants are damaged forms of a sound file, each with what was done to it: the beginnings of it, and count
// of each kind with a bit flipped, a number made large or negative, or a piece repeated, moved or emptied. An empty
// file has none.
func Variants(sound []byte, count int) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		if len(sound) == 0 {
			return
		}
		r := rand.New(rand.NewPCG(uint64(len(sound)), 1))
		place := func() int { // where the file says what is in it, half of the time
			if r.IntN(2) == 0 {
				return r.IntN(min(len(sound), 256))
			}
			return r.IntN(len(sound))
		}
		for range count {
			if n := place(); !yield(fmt.Sprintf("cut to %d bytes", n), sound[:n]) {
				return
			}
		}
		changes := map[string]func(data []byte, at int) []byte{
			"bit flipped": func(data []byte, at int) []byte { data[at] ^= 1 << r.IntN(8); return data },
			"number large": func(data []byte, at int) []byte {
				for i := at; i < min(at+8, len(data)); i++ {
					data[i] = 0xff
				}
				if r.IntN(2) == 0 {
					data[min(at+7, len(data)-1)] = 0x7f
				}
				return data
			},
			"digit added": func(data []byte, at int) []byte {
				for ; at < len(data) && (data[at] < '0' || data[at] > '9'); at++ {
				}
				return append(data[:at:at], append([]byte("99999999999"), data[at:]...)...)
			},
			"piece emptied": func(data []byte, at int) []byte { clear(data[at:min(at+64, len(data))]); return data },
			"piece repeated": func(data []byte, at int) []byte {
				return append(data[:at:at], data[max(at-64, 0):]...)
			},
			"piece moved": func(data []byte, at int) []byte {
				copy(data[at:], data[place():])
				return data
			},
		}
		for _, what := range []string{"bit flipped", "number large", "digit added", "piece emptied", "piece repeated", "piece moved"} {
			for range count {
				at := place()
				if data := changes[what](bytes.Clone(sound), at); !bytes.Equal(data, sound) &&
					!yield(fmt.Sprintf("%s at %d", what, at), data) {
					return
				}
			}
		}
	}
}
