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
// and a file of this user keeps its permissions; a device or a pipe is written directly. Links, devices and pipes of
// another user are refused in a folder that others can write. The error of write is returned as it is, behind the path.
func Write(path string, write func(io.Writer) error) error {
	return named(path, func() error {
		file, info, err := destination(path)
		switch {
		case err != nil:
			return err
		case info == nil:
			return replace(file, 0, write)
		case !info.Mode().IsRegular():
			f, err := os.OpenFile(file, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			return errors.Join(fill(f, write), f.Close())
		case !foreign(info):
			return replace(file, info.Mode().Perm(), write)
		}
		return replace(file, 0, write)
	})
}

// WriteBytes is [Write] of bytes that are there. Errors are those of [Write].
func WriteBytes(path string, data []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Replace is [Write] for a file whose name the program chose. Anything that has the name, such as a symbolic link or a
// pipe, is neither followed nor opened. The new file takes its place, with the permissions of a new file. Errors are
// those of [Write].
func Replace(path string, write func(io.Writer) error) error {
	return named(path, func() error { return replace(path, 0, write) })
}

// named puts the path before an error that does not name it.
func named(path string, write func() error) error {
	err := write()
	var at *fs.PathError
	if err == nil || errors.As(err, &at) && at.Path == path {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// mostLinks is how many symbolic links may follow each other.
const mostLinks = 40

// destination follows the symbolic links at path, as far as they may be followed, and returns what is there; nil if
// there is nothing yet.
func destination(path string) (string, fs.FileInfo, error) {
	for range mostLinks {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil, nil
		}
		if err != nil || info.Mode().IsRegular() || info.IsDir() {
			if err == nil && info.IsDir() {
				err = &fs.PathError{Op: "write", Path: path, Err: errors.New("is a folder")}
			}
			return path, info, err
		}
		if err := trusted(path, info); err != nil {
			return path, nil, err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			return path, info, nil
		}
		target, err := os.Readlink(path)
		if err != nil {
			return path, nil, err
		}
		if opened, err := os.Stat(path); err == nil && !opened.Mode().IsRegular() {
			return path, opened, nil // such as /dev/stdout, whose last link names no file
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return path, nil, fmt.Errorf("more than %d symbolic links", mostLinks)
}

// trusted returns an error for a link, pipe or device that another user may have put where it is.
func trusted(path string, info fs.FileInfo) error {
	dir, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return err
	}
	if dir.Mode().Perm()&0o022 == 0 || !foreign(info) {
		return nil
	}
	what := "a pipe or device"
	if info.Mode()&fs.ModeSymlink != 0 {
		what = "a symbolic link"
	}
	return fmt.Errorf("is %s of another user in a folder that others can write: remove it, or name another file", what)
}

// replace writes beside a file and gives the result its name. Without a mode the new file has the one of new files.
func replace(path string, mode fs.FileMode, write func(io.Writer) error) error {
	f, err := beside(path, 0o666)
	if err != nil {
		return err
	}
	err = fill(f, write)
	if err == nil && mode != 0 {
		err = f.Chmod(mode) // whatever the mask of the process; by the file, as its name may have become another's
	}
	return finish(f.Name(), path, errors.Join(err, f.Close()))
}

// fill writes a file.
func fill(f *os.File, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}

// beside creates a file in the folder of another.
func beside(path string, mode fs.FileMode) (*os.File, error) {
	unfinished.Lock()
	defer unfinished.Unlock()
	if unfinished.closed {
		return nil, errDiscarded
	}
	for {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%016x", filepath.Base(path), rand.Uint64()))
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
		claim(f)
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
