package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
)

// unfinished are the files beside, by name, until they are renamed or removed.
var unfinished struct {
	sync.Mutex
	files  map[string]*os.File
	closed bool // by Discard
}

// errDiscarded says that the process is about to end.
var errDiscarded = errors.New("the process is ending")

// Write creates or replaces the file at path with what write writes. A symbolic link stays one,
// and a file that exists keeps its permissions; a device or a pipe is written directly. The
// error of write is returned as it is, behind the path.
func Write(path string, write func(io.Writer) error) error {
	if err := replace(path, write); err != nil {
		var named *fs.PathError
		if errors.As(err, &named) && named.Path == path {
			return err
		}
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func replace(path string, write func(io.Writer) error) error {
	mode := fs.FileMode(0o666)
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return fill(f, write)
	case err == nil:
		mode = info.Mode().Perm()
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	f, err := beside(path, mode)
	if err != nil {
		return err
	}
	err = fill(f, write)
	if err == nil && info != nil {
		err = os.Chmod(f.Name(), mode) // whatever the mask of the process
	}
	return finish(f.Name(), path, err)
}

// fill writes and closes a file.
func fill(f *os.File, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<16)
	err := write(w)
	if err == nil {
		err = w.Flush()
	}
	return errors.Join(err, f.Close())
}

// beside creates a file in the folder of another.
func beside(path string, mode fs.FileMode) (*os.File, error) {
	unfinished.Lock()
	defer unfinished.Unlock()
	if unfinished.closed {
		return nil, errDiscarded
	}
	for {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%08x", filepath.Base(path), rand.Uint32()))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			var named *fs.PathError
			if errors.As(err, &named) {
				named.Path = path
			}
			return nil, err
		}
		if unfinished.files == nil {
			unfinished.files = map[string]*os.File{}
		}
		unfinished.files[name] = f
		return f, nil
	}
}

// finish gives the file beside its name, or removes it if there was an error.
func finish(name, path string, err error) error {
	unfinished.Lock()
	defer unfinished.Unlock()
	delete(unfinished.files, name)
	if unfinished.closed {
		err = errDiscarded
	}
	if err == nil {
		err = os.Rename(name, path)
	}
	if err != nil {
		os.Remove(name)
	}
	return err
}

// Discard removes the files that are not finished, and no file is finished afterwards. It is
// for a process that is about to end.
func Discard() {
	unfinished.Lock()
	defer unfinished.Unlock()
	unfinished.closed = true
	for name, f := range unfinished.files {
		f.Close() // Windows removes no file that is open
		os.Remove(name)
	}
	clear(unfinished.files)
}
