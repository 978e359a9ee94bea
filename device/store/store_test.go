package store_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/store"
)

func one(t *testing.T, dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "*.acap"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	return files[0]
}

// An entry that is damaged in any way is not there, and is written anew.
func TestDamage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	s := store.Open(dir, 0, "v1")
	payload := []byte("what took long")
	_, ok := s.Get("mapping", "key")
	require.False(t, ok)
	s.Put("mapping", "key", "", payload)
	path := one(t, dir)
	sound, err := os.ReadFile(path)
	require.NoError(t, err)
	check := func(data []byte, what string, args ...any) {
		require.NoError(t, os.WriteFile(path, data, 0o666))
		_, ok := s.Get("mapping", "key")
		require.False(t, ok, what, args)
		list, err := s.List()
		require.NoError(t, err)
		require.NotEmpty(t, list[0].Problem)
		s.Put("mapping", "key", "", payload)
		got, ok := s.Get("mapping", "key")
		require.True(t, ok)
		require.Equal(t, payload, got)
	}
	for n := range sound {
		check(sound[:n], "cut to %d bytes", n)
		flipped := bytes.Clone(sound)
		flipped[n] ^= 1 << (n % 8)
		check(flipped, "byte %d flipped", n)
	}
	check(append(bytes.Clone(sound), 0), "longer")
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Mkdir(path, 0o777)) // not even a file
	_, ok = s.Get("mapping", "key")
	require.False(t, ok)
	s.Put("mapping", "key", "", payload)
}

// An entry of several pieces is right whole or not there: pieces that are altered, exchanged or missing are noticed.
func TestPieces(t *testing.T) {
	dir := t.TempDir()
	s := store.Open(dir, 0, "v")
	const piece = buf.LargePage
	payload := make([]byte, 2*piece+1000)
	for i := range payload {
		payload[i] = byte(i) ^ byte(i>>12) ^ byte(i>>20)
	}
	s.Put("constants", "key", "", payload)
	got, ok := s.Get("constants", "key")
	require.True(t, ok)
	require.True(t, bytes.Equal(payload, got))
	path := one(t, dir)
	sound, err := os.ReadFile(path)
	require.NoError(t, err)
	start := bytes.Index(sound, payload[:piece])
	require.Positive(t, start)
	check := func(what string, change func(data []byte) []byte) {
		require.NoError(t, os.WriteFile(path, change(bytes.Clone(sound)), 0o666))
		_, ok := s.Get("constants", "key")
		require.False(t, ok, what)
	}
	for at := range 3 {
		check("flipped", func(data []byte) []byte {
			data[start+at*piece+500] ^= 16
			return data
		})
	}
	check("exchanged", func(data []byte) []byte {
		copy(data[start:], payload[piece:2*piece])
		copy(data[start+piece:], payload[:piece])
		return data
	})
	check("one missing", func(data []byte) []byte { return slices.Delete(data, start, start+piece) })
	check("the end missing", func(data []byte) []byte { return data[:len(data)-piece/2] })
	require.NoError(t, os.WriteFile(path, sound, 0o666))
	_, ok = s.Get("constants", "key")
	require.True(t, ok)
}

// An entry takes at most half of the folder's bytes, and no more memory than there may be.
func TestLarge(t *testing.T) {
	dir := t.TempDir()
	s := store.Open(dir, 2000, "v")
	require.True(t, s.Takes(1000))
	require.False(t, s.Takes(1001))
	s.Put("k", "large", "", make([]byte, 1001))
	_, ok := s.Get("k", "large")
	require.False(t, ok)
	s.Put("k", "key", "", make([]byte, 1000))
	_, ok = s.Get("k", "key")
	require.True(t, ok)
	small := store.Open(dir, 1998, "v")
	_, ok = small.Get("k", "key")
	require.False(t, ok)
	list, err := small.List()
	require.NoError(t, err)
	require.Equal(t, "larger than entries may be", list[0].Problem)
	defer buf.SetLimit(buf.SetLimit(999))
	_, ok = s.Get("k", "key")
	require.False(t, ok)
}

// Kinds, keys and versions do not meet, also under a file name that is not theirs.
func TestOthers(t *testing.T) {
	dir := t.TempDir()
	s := store.Open(dir, 0, "v1")
	s.Put("mapping", "key", "", []byte("a"))
	for _, other := range [][3]string{{"v2", "mapping", "key"}, {"v1", "plan", "key"}, {"v1", "mapping", "ke"}, {"v1", "mappingk", "ey"}} {
		o := store.Open(dir, 0, other[0])
		_, ok := o.Get(other[1], other[2])
		require.False(t, ok, other)
	}
	from := one(t, dir)
	s.Put("mapping", "other", "", []byte("b"))
	list, err := s.List()
	require.NoError(t, err)
	for _, e := range list {
		require.NoError(t, copyFile(from, filepath.Join(dir, e.File)))
	}
	_, ok := s.Get("mapping", "other")
	require.False(t, ok)
	v2, err := store.Open(dir, 0, "v2").List()
	require.NoError(t, err)
	require.Equal(t, "written by another version", v2[0].Problem)
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o666)
}

func TestNone(t *testing.T) {
	t.Setenv(store.Variable, "")
	s := store.Default()
	require.Nil(t, s)
	s.Put("a", "b", "", nil)
	_, ok := s.Get("a", "b")
	require.False(t, ok)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	t.Setenv(store.Variable, file) // not a folder
	s = store.Default()
	s.Put("a", "b", "", nil)
	_, _, failures := s.Stats()
	require.EqualValues(t, 1, failures)
}

// TestUnwritable: who names a folder in the environment that cannot be made hears so, once.
func TestUnwritable(t *testing.T) {
	t.Setenv(store.Variable, filepath.Join(t.TempDir(), "new"))
	named := store.Default()
	require.NoError(t, named.Usable())
	require.NoError(t, os.WriteFile(named.Dir(), nil, 0o666)) // what another process may do in the meantime
	read, write, err := os.Pipe()
	require.NoError(t, err)
	before := os.Stderr
	os.Stderr = write
	named.Put("a", "b", "", nil)
	named.Put("a", "c", "", nil)
	store.Open(named.Dir(), 0, "v").Put("a", "b", "", nil)
	os.Stderr = before
	require.NoError(t, write.Close())
	told, err := io.ReadAll(read)
	require.NoError(t, err)
	require.Regexp(t, `^acap: ACAP_CACHE: the cache keeps nothing: mkdir .*\n$`, string(told))
	_, _, failures := named.Stats()
	require.EqualValues(t, 2, failures)
}

// The entries used longest ago go first, and what is of no use goes whatever its age.
func TestGC(t *testing.T) {
	dir := t.TempDir()
	s := store.Open(dir, 3000, "v")
	payload := make([]byte, 500)
	for i := range 4 {
		s.Put("k", fmt.Sprint(i), "", payload)
	}
	list, err := s.List()
	require.NoError(t, err)
	for _, e := range list {
		var i int
		_, err := fmt.Sscan(e.Key, &i)
		require.NoError(t, err)
		used := time.Now().Add(time.Duration(i-10) * time.Hour)
		require.NoError(t, os.Chtimes(filepath.Join(dir, e.File), used, used))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bad.acap"), []byte("x"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "not ours"), []byte("x"), 0o666))
	_, ok := s.Get("k", "0") // used now
	require.True(t, ok)
	small := store.Open(dir, 1300, "v")
	files, _, err := small.GC()
	require.NoError(t, err)
	require.Equal(t, 3, files)
	for i, want := range []bool{true, false, false, true} {
		_, ok := s.Get("k", fmt.Sprint(i))
		require.Equal(t, want, ok, i)
	}
	require.FileExists(t, filepath.Join(dir, "not ours"))
	for i := range 100 {
		small.Put("k", fmt.Sprint(i), "", payload)
	}
	list, err = small.List()
	require.NoError(t, err)
	require.LessOrEqual(t, len(list), 4)
}

func TestManyWriters(t *testing.T) {
	dir := t.TempDir()
	var wait sync.WaitGroup
	for w := range 8 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			s := store.Open(dir, 0, "v")
			for i := range 50 {
				key := fmt.Sprint(i % 5)
				s.Put("k", key, "", bytes.Repeat([]byte(key), 1000))
				if got, ok := s.Get("k", key); ok && !bytes.Equal(got, bytes.Repeat([]byte(key), 1000)) {
					t.Error("torn entry", w)
				}
			}
		}()
	}
	wait.Wait()
}

func ExampleStore() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	s := store.Open(dir, 0, store.Version())
	s.Put("mapping", "matmul 64x64", "", []byte("4x4"))
	found, ok := s.Get("mapping", "matmul 64x64")
	fmt.Println(string(found), ok)
	// Output: 4x4 true
}

// Titles are for people: they are listed, cut if they are long, and do not tell entries apart.
func TestTitles(t *testing.T) {
	s := store.Open(t.TempDir(), 0, "v")
	s.Put("program", "key", strings.Repeat("ä", 1000), []byte("a"))
	list, err := s.List()
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.True(t, utf8.ValidString(list[0].Title))
	require.Less(t, len(list[0].Title), 300)
	require.True(t, strings.HasSuffix(list[0].Title, "..."))
	s.Put("program", "key", "main from model.go:3", []byte("b"))
	list, err = s.List()
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, "main from model.go:3", list[0].Title)
	payload, ok := s.Get("program", "key")
	require.True(t, ok)
	require.Equal(t, "b", string(payload))
}
