package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-acap/acap/device/kernel/environment"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/buf/atomicfile"
)

const (
	// Variable is the environment variable that names the folder.
	Variable = "ACAP_CACHE"
	// LimitVariable is the one that bounds the bytes in it.
	LimitVariable = "ACAP_CACHE_LIMIT"

	// MostEntry bounds the bytes of one entry.
	MostEntry = 64 << 20

	defaultLimit = 256 << 20
	magic        = "acap cache 3\n"
	suffix       = ".acap"
	mostKey      = 1 << 20
	mostTitle    = 200
)

// Store is a folder of entries. Its methods may be called from any goroutine and any
// process; a nil Store is empty and keeps nothing.
type Store struct {
	dir     string
	limit   int64
	version string

	hits, misses, failures atomic.Int64
	written                atomic.Int64 // bytes since the folder was last measured
}

// Open returns the store of a folder, which need not exist, with a bound on its bytes; 0
// means the default. version tells entries of different programs apart.
func Open(dir string, limit int64, version string) *Store {
	if limit <= 0 {
		limit = defaultLimit
	}
	return &Store{dir: dir, limit: limit, version: version}
}

// opened are the stores by folder and limit.
var opened sync.Map

// Default returns the store that the environment names, or nil.
func Default() *Store {
	dir := os.Getenv(Variable)
	if dir == "" {
		return nil
	}
	limit, err := environment.Bytes(LimitVariable, defaultLimit)
	if err != nil {
		limit = defaultLimit
	}
	key := fmt.Sprint(limit, dir)
	if s, ok := opened.Load(key); ok {
		return s.(*Store)
	}
	s, _ := opened.LoadOrStore(key, Open(dir, limit, Version()))
	return s.(*Store)
}

// Dir returns the folder.
func (s *Store) Dir() string { return s.dir }

// Stats returns how many entries were found, were not, and could not be written.
func (s *Store) Stats() (hits, misses, failures int64) {
	return s.hits.Load(), s.misses.Load(), s.failures.Load()
}

// path is the file of an entry.
func (s *Store) path(kind, key string) string {
	h := sha256.New()
	for _, part := range []string{s.version, kind, key} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return filepath.Join(s.dir, hex.EncodeToString(h.Sum(nil)[:16])+suffix)
}

// Get returns the payload of an entry, if there is a sound one.
func (s *Store) Get(kind, key string) ([]byte, bool) {
	if s == nil {
		return nil, false
	}
	path := s.path(kind, key)
	e, err := read(path)
	if err != nil || e.Version != s.version || e.Kind != kind || e.Key != key {
		s.misses.Add(1)
		return nil, false
	}
	s.hits.Add(1)
	if now := time.Now(); now.Sub(e.Used) > time.Hour { // for gc; an error costs only the order
		_ = os.Chtimes(path, now, now)
	}
	return e.payload, true
}

// Put writes an entry. The title says what it is of to people who list the folder; of a long one the
// beginning is kept. A store that cannot be written is no error: it is as if it were not there, and
// Stats counts it.
func (s *Store) Put(kind, key, title string, payload []byte) {
	if s == nil || len(payload) > MostEntry || len(key) > mostKey {
		return
	}
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		s.failures.Add(1)
		return
	}
	if len(title) > mostTitle {
		title = strings.ToValidUTF8(title[:mostTitle-3], "") + "..."
	}
	head := header(s.version, kind, key, title, len(payload))
	sum := checksum(head, payload)
	if err := atomicfile.Write(s.path(kind, key), func(w io.Writer) error {
		for _, part := range [][]byte{head, payload, sum} {
			if _, err := w.Write(part); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		s.failures.Add(1)
		return
	}
	// A folder is measured once for each sixteenth of its limit, and first at the start.
	size := int64(len(head) + len(payload) + len(sum))
	if n := s.written.Add(size); n == size || n > s.limit/16 {
		s.written.Store(1)
		s.trim()
	}
}

// Limit returns the bytes that the folder may take.
func (s *Store) Limit() int64 { return s.limit }

// payloadAlignment is what the payload's place in an entry is a multiple of, so that it can be used where it
// has been read.
const payloadAlignment = 64

// header is what an entry has before its payload.
func header(version, kind, key, title string, payload int) []byte {
	b := []byte(magic)
	for _, part := range []string{version, kind, key, title} {
		b = append(binary.LittleEndian.AppendUint64(b, uint64(len(part))), part...)
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(payload))
	return append(b, make([]byte, -len(b)&(payloadAlignment-1))...)
}

// checksum is what an entry ends with.
func checksum(head, payload []byte) []byte {
	sum := Digest(payload)
	sum = sha256.Sum256(append(sum[:], head...))
	return sum[:]
}

// What can be wrong with a file.
var (
	errFormat   = errors.New("not an entry of this format")
	errShort    = errors.New("cut short or too long")
	errChecksum = errors.New("the checksum is wrong")
)

// read reads and checks a file.
func read(path string) (*Entry, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	e := &Entry{File: filepath.Base(path), Bytes: info.Size(), Used: info.ModTime()}
	if !info.Mode().IsRegular() || info.Size() > MostEntry+2*mostKey {
		return e, errFormat
	}
	f, err := os.Open(path)
	if err != nil {
		return e, err
	}
	defer f.Close()
	data := buf.Lasting(int(info.Size()))
	if _, err := io.ReadFull(f, data); err != nil {
		return e, errShort
	}
	return e, e.decode(data)
}

func (e *Entry) decode(data []byte) error {
	if !bytes.HasPrefix(data, []byte(magic)) {
		return errFormat
	}
	if len(data) < len(magic)+sha256.Size {
		return errShort
	}
	body := data[:len(data)-sha256.Size]
	rest := body[len(magic):]
	var parts [4][]byte
	for i := range parts {
		if len(rest) < 8 || binary.LittleEndian.Uint64(rest) > uint64(len(rest)-8) {
			return errShort
		}
		n := binary.LittleEndian.Uint64(rest)
		parts[i], rest = rest[8:8+n], rest[8+n:]
	}
	if len(rest) < 8 {
		return errShort
	}
	size := binary.LittleEndian.Uint64(rest)
	head := (len(body) - len(rest) + 8 + payloadAlignment - 1) &^ (payloadAlignment - 1)
	if head > len(body) || size != uint64(len(body)-head) {
		return errShort
	}
	if sum := checksum(body[:head], body[head:]); !bytes.Equal(sum, data[len(body):]) {
		return errChecksum
	}
	e.Version, e.Kind, e.Key, e.Title = string(parts[0]), string(parts[1]), string(parts[2]), string(parts[3])
	e.payload = body[head:]
	return nil
}
