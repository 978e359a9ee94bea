package store

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/base/environment"
)

const (
	// Variable is the environment variable that names the folder.
	Variable = "ACAP_CACHE"
	// LimitVariable bounds the bytes in the folder.
	LimitVariable = "ACAP_CACHE_LIMIT"
	// SharedVariable, if it is 1, permits folders that other users can write.
	SharedVariable = "ACAP_CACHE_SHARED"

	defaultLimit = 256 << 20
	magic        = "acap cache 4\n"
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
	shared  bool // a folder that other users can write is used
	ofUser  bool // the environment names the folder, so that the user is told what fails

	usable  sync.Once
	refused error // by usable

	hits, misses, failures atomic.Int64
	written                atomic.Int64 // bytes since the folder was last measured
}

// Open returns the store of a folder, which need not exist, with a bound on its bytes; 0
// means the default. version tells entries of different programs apart. A folder that other users can write is
// used only if [SharedVariable] says so.
func Open(dir string, limit int64, version string) *Store {
	if limit <= 0 {
		limit = defaultLimit
	}
	return &Store{dir: dir, limit: limit, version: version, shared: os.Getenv(SharedVariable) == "1"}
}

// opened are the stores by folder and limit.
var opened sync.Map

// Default returns the store that the environment names, or nil. If its folder cannot be used, a line on the standard
// error output says why, once; [Check] returns that as an error.
func Default() *Store {
	dir := os.Getenv(Variable)
	if dir == "" {
		return nil
	}
	limit, err := environment.Bytes(LimitVariable, defaultLimit)
	if err != nil {
		limit = defaultLimit
	}
	key := fmt.Sprint(limit, os.Getenv(SharedVariable), dir)
	if s, ok := opened.Load(key); ok {
		return s.(*Store)
	}
	fresh := Open(dir, limit, Version())
	fresh.ofUser = true
	s, known := opened.LoadOrStore(key, fresh)
	if err := s.(*Store).Usable(); err != nil && !known {
		fmt.Fprintln(os.Stderr, "acap: no cache:", err)
	}
	return s.(*Store)
}

// Check returns what is wrong with the environment's settings of the store. The error names the variable, or is the one
// of [Store.Usable].
func Check() error {
	if shared := os.Getenv(SharedVariable); shared != "" && shared != "0" && shared != "1" {
		return &environment.Error{Variable: SharedVariable, Value: shared, Want: "0 or 1"}
	}
	if _, err := environment.Bytes(LimitVariable, defaultLimit); err != nil {
		return err
	}
	dir := os.Getenv(Variable)
	if dir == "" {
		return nil
	}
	return Open(dir, 0, "").Usable()
}

// Usable returns why nothing is read from the folder or written to it: it is not a folder, or other users can write it.
// A folder that does not exist yet is made for this user alone.
func (s *Store) Usable() error {
	if s == nil {
		return nil
	}
	s.usable.Do(func() { s.refused = usable(s.dir, s.shared) })
	return s.refused
}

func usable(dir string, shared bool) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // Put makes it
	case err != nil:
		return &environment.Error{Variable: Variable, Value: dir, Want: "a folder: " + err.Error()}
	case !info.IsDir():
		return &environment.Error{Variable: Variable, Value: dir, Want: "a folder; it is a file"}
	case shared:
		return nil
	}
	if who := writers(dir, info); who != "" {
		return &environment.Error{Variable: Variable, Value: dir, Want: fmt.Sprintf("a folder that no one else can write, as programs "+
			"and results come from it, but %s (mode %04o): chmod go-w it, take another, or set %s=1 if you trust them",
			who, mode(info), SharedVariable)}
	}
	return nil
}

// mode returns permissions as chmod takes them.
func mode(info fs.FileInfo) uint32 {
	m := uint32(info.Mode().Perm())
	if info.Mode()&fs.ModeSticky != 0 {
		m |= 0o1000
	}
	return m
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
	if s.Usable() != nil {
		s.misses.Add(1)
		return nil, false
	}
	path := s.path(kind, key)
	e, err := s.read(path)
	if err != nil || e.Version != s.version || e.Kind != kind || e.Key != key {
		s.misses.Add(1)
		return nil, false
	}
	s.hits.Add(1)
	if time.Since(e.Used) > time.Hour { // for gc; an error costs only the order
		s.use(filepath.Base(path))
	}
	return e.payload, true
}

// use gives a file today's date. A link that has come to its name is not followed out of the folder.
func (s *Store) use(name string) {
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return
	}
	defer root.Close()
	now := time.Now()
	_ = root.Chtimes(name, now, now)
}

// Put writes an entry. The title tells people who list the folder what the entry is; only the beginning of a long title
// is kept. A store that cannot be written is no error: the store then counts as absent, and Stats counts the failure.
// The first failure of the store that the environment names is a line on the standard error output.
func (s *Store) Put(kind, key, title string, payload []byte) {
	if s == nil || !s.Takes(len(payload)) || len(key) > mostKey {
		return
	}
	if s.Usable() != nil { // which has been told
		s.failures.Add(1)
		return
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		s.fail(err)
		return
	}
	if len(title) > mostTitle {
		title = strings.ToValidUTF8(title[:mostTitle-3], "") + "..."
	}
	head := header(s.version, kind, key, title, len(payload))
	sum := checksum(head, Digest(payload))
	if err := atomicfile.Replace(s.path(kind, key), func(w io.Writer) error {
		for _, part := range [][]byte{head, payload, sum} {
			if _, err := w.Write(part); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		s.fail(err)
		return
	}
	// A folder is measured once for each sixteenth of its limit, and first at the start.
	size := int64(len(head) + len(payload) + len(sum))
	if n := s.written.Add(size); n == size || n > s.limit/16 {
		s.written.Store(1)
		s.trim()
	}
}

// fail counts an entry that could not be written.
func (s *Store) fail(err error) {
	if s.failures.Add(1) == 1 && s.ofUser {
		fmt.Fprintf(os.Stderr, "acap: %s: the cache keeps nothing: %v\n", Variable, err)
	}
}

// Takes reports whether an entry may have a payload of that many bytes: at most half of the folder's limit.
func (s *Store) Takes(payload int) bool { return int64(payload) <= s.limit/2 }

// payloadAlignment divides the payload's place in an entry, so that whole lines of a cache are copied.
const payloadAlignment = 64

// header is the bytes of an entry before its payload.
func header(version, kind, key, title string, payload int) []byte {
	b := []byte(magic)
	for _, part := range []string{version, kind, key, title} {
		b = append(binary.LittleEndian.AppendUint64(b, uint64(len(part))), part...)
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(payload))
	return append(b, make([]byte, -len(b)&(payloadAlignment-1))...)
}

// checksum is the end of an entry, from the digest of the payload.
func checksum(head []byte, payload [sha256.Size]byte) []byte {
	sum := sha256.Sum256(append(payload[:], head...))
	return sum[:]
}
