package bandwidth

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/mapped"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/native"
)

// Bandwidth is the most bytes a second that the engine's threads read from memory together, and how they read.
type Bandwidth struct {
	PerSecond float64
	Bytes     int // of the memory
	Streams   int // runs of memory that each thread read at once; 0: as the engine's dot products read
}

// mostStreams bounds the runs of memory that a thread reads at once.
const mostStreams = 8

// bytesRead is how many bytes are read at most: twice as many as caches hold, from 256 MB to 1 GB, which small machines
// with large caches have.
func bytesRead() int { return min(max(256<<20, 2*cpu.Detect().L3), 1<<30) }

// readBandwidth returns the best of a number of tries: of the engine's dot products, which fetch memory ahead, and of
// loops without fetches. A processor fetches several runs of memory ahead at once, which can be more than it has of
// one.
func readBandwidth(data []int64, tries int) Bandwidth {
	best := Bandwidth{Bytes: 8 * len(data)}
	for range tries {
		if b := bandwidthOfProducts(data); b > best.PerSecond {
			best.PerSecond, best.Streams = b, 0
		}
		for n := 1; n <= mostStreams; n *= 2 {
			if b := bandwidthOf(data, n); b > best.PerSecond {
				best.PerSecond, best.Streams = b, n
			}
		}
	}
	return best
}

// Memory is memory that the program allocates, to be read again and again.
type Memory struct{ words []int64 }

// NewMemory returns memory that is filled, which takes longer than a reading.
func NewMemory() Memory {
	m := Memory{make([]int64, bytesRead()/8)}
	for i := range m.words {
		m.words[i] = 0x3f800000_3f800000 // pairs of f32 that are 1: products of numbers that are not normal take longer
	}
	return m
}

// Read reads the memory.
func (m Memory) Read(tries int) Bandwidth { return readBandwidth(m.words, tries) }

// File reads the beginning of the largest file of a model's weights, mapped as the model maps it. A system
// that holds the file in small pages, scattered over the memory, gives less than [Memory]. A folder without
// files of weights has no bandwidth, nor has a file without a line for each stream of each thread: the result is zero.
func File(path string, tries int) (Bandwidth, error) {
	name, size, err := weightsFile(path)
	if size = min(size, int64(bytesRead())); err != nil || size < int64(8*lineWords*mostStreams*Threads()) {
		return Bandwidth{}, err
	}
	f, err := os.Open(name)
	if err != nil {
		return Bandwidth{}, err
	}
	defer f.Close()
	data, err := mapped.File(f, size)
	if err != nil {
		return Bandwidth{}, err
	}
	defer mapped.Unmap(data)
	words, err := buf.Wrap(dtype.I64, []int{len(data) / 8}, data[:len(data)/8*8])
	if err != nil {
		return Bandwidth{}, err
	}
	bandwidthOf(buf.Slice[int64](words), 1) // the first time finds the pages
	return readBandwidth(buf.Slice[int64](words), tries), nil
}

// weightsFile is the largest file of weights at a path, which is a GGUF file or a folder, and the bytes of the file.
// The name is empty if the folder has none.
func weightsFile(path string) (name string, size int64, err error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", 0, err
	case !info.IsDir():
		return path, info.Size(), nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return "", 0, err
	}
	for _, e := range entries {
		if info, err := os.Stat(filepath.Join(path, e.Name())); err == nil && strings.HasSuffix(e.Name(), ".safetensors") && info.Size() > size {
			name, size = filepath.Join(path, e.Name()), info.Size()
		}
	}
	return name, size, nil
}

// bandwidthOf is the bytes a second of threads that read several runs of memory at once.
func bandwidthOf(data []int64, streams int) float64 {
	start, n := time.Now(), Threads()
	sums := make(chan int64, n)
	read := 0
	for k := range n {
		part := data[len(data)*k/n : len(data)*(k+1)/n]
		each := len(part) / streams / lineWords * lineWords
		read += streams * each
		go func() {
			var sum int64
			for at := 0; at < each; at += lineWords { // a line of each stream
				for first := at; first < streams*each; first += each {
					line := part[first : first+lineWords : first+lineWords]
					sum += line[0] + line[1] + line[2] + line[3] + line[4] + line[5] + line[6] + line[7]
				}
			}
			sums <- sum
		}()
	}
	var sum int64
	for range n {
		sum += <-sums
	}
	took := time.Since(start)
	runtime.KeepAlive(sum)
	return 8 * float64(read) / took.Seconds()
}

// lineWords are the words of a line of a cache, by which memory is read.
const lineWords = 64 / 8

// productColumn is how many f32 a column has that is read for the bandwidth of dot products.
const productColumn = 4096

// bandwidthOfProducts is the bytes a second of threads that multiply a vector with columns of f32 in memory, as the
// engine does. 0 says that there is no such code, or less than a column for each thread.
func bandwidthOfProducts(data []int64) float64 {
	n := Threads()
	columns := len(data) * 8 / (4 * productColumn) / n
	port := func(elements int, write bool) kernel.Port {
		return kernel.Port{DType: dtype.F32, Len: elements, Write: write}
	}
	body := kernel.NewBody()
	body.Store(2, body.Input(dtype.F32))
	k := &kernel.Contraction{Name: "bandwidth", M: 1, N: columns, K: productColumn, Acc: dtype.F32,
		A:        kernel.Matrix{Port: port(productColumn, false), Row: productColumn, Col: 1},
		B:        kernel.Matrix{Port: port(columns*productColumn, false), Row: 1, Col: productColumn},
		Epilogue: kernel.Epilogue{Body: body.Body(), Access: []kernel.Access{{Port: port(columns, true), Outer: []int{columns, 1}}}}}
	if columns == 0 {
		return 0
	}
	code, err := native.Compile(k)
	if err != nil {
		return 0
	}
	defer code.Close()
	room := func(bytes int) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(buf.Aligned(max(64, bytes)))) }
	var wait sync.WaitGroup
	start := time.Now()
	for part := range n {
		first := unsafe.Pointer(&data[part*columns*productColumn/2])
		args := &kernel.Args{Ptr: []unsafe.Pointer{room(4 * productColumn), first, room(4 * columns), room(code.Shared())}, Scratch: room(code.Scratch())}
		wait.Go(func() { kernel.RunAll(code, args) })
	}
	wait.Wait()
	return float64(n*columns*4*productColumn) / time.Since(start).Seconds()
}
