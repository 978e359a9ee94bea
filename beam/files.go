package beam

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"   // gs://
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local" // paths
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs" // memfs://
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"    // s3://
)

func isLocal(name string) bool { return !strings.Contains(name, "://") }

// listFiles returns the files that match a pattern, sorted.
func listFiles(ctx context.Context, pattern string) ([]string, error) {
	fs, err := filesystem.New(ctx, pattern)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	names, err := fs.List(ctx, pattern)
	slices.Sort(names)
	return names, err
}

func readFile(ctx context.Context, name string) ([]byte, error) {
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	return filesystem.Read(ctx, fs, name)
}

// writeFile writes a file whole or not at all, where the file system can rename or writes so by
// itself, as stores of objects do.
func writeFile(ctx context.Context, name string, data []byte) error {
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer fs.Close()
	renamer, ok := fs.(filesystem.Renamer)
	if !ok || !isLocal(name) {
		return filesystem.Write(ctx, fs, name, data)
	}
	// Two workers may do the same piece at once.
	temporary := fmt.Sprintf("%s.%d.tmp", name, os.Getpid())
	if err := filesystem.Write(ctx, fs, temporary, data); err != nil {
		return err
	}
	return renamer.Rename(ctx, temporary, name)
}

// copies are the local names of files that are elsewhere, and their folder.
var copies struct {
	sync.Mutex
	dir string
}

// localFile returns the name of a local file with the contents of a file, which is copied once in a
// process unless it is local.
func localFile(ctx context.Context, name string) (string, error) {
	if isLocal(name) {
		return name, nil
	}
	// Files of the same folder are beside each other.
	dir, base := path.Split(name)
	return copyTo(ctx, name, filepath.Join(fmt.Sprintf("%x", sha256.Sum256([]byte(dir)))[:16], base))
}

// copyTo copies a file to a name in the folder of copies.
func copyTo(ctx context.Context, name, to string) (string, error) {
	copies.Lock()
	defer copies.Unlock()
	if copies.dir == "" {
		dir, err := os.MkdirTemp("", "acap-beam-")
		if err != nil {
			return "", err
		}
		copies.dir = dir
	}
	local := filepath.Join(copies.dir, to)
	if _, err := os.Stat(local); err == nil {
		return local, nil
	}
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return "", err
	}
	defer fs.Close()
	from, err := fs.OpenRead(ctx, name)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	defer from.Close()
	if err := os.MkdirAll(filepath.Dir(local), 0o755); err != nil {
		return "", err
	}
	out, err := os.CreateTemp(filepath.Dir(local), "copy-")
	if err != nil {
		return "", err
	}
	defer os.Remove(out.Name())
	if _, err := io.Copy(out, from); err != nil {
		out.Close()
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if err := out.Close(); err != nil {
		return "", err
	}
	return local, os.Rename(out.Name(), local)
}

// RemoveCopies removes what the process has copied from other file systems. The error is of the first file that stays.
func RemoveCopies() error {
	copies.Lock()
	defer copies.Unlock()
	dir := copies.dir
	copies.dir = ""
	if dir == "" {
		return nil
	}
	return os.RemoveAll(dir)
}

// localModel returns local names of a model and of inputs. Of a model that is elsewhere, all files of
// its folder are copied, among which its weights and its inputs may be.
func localModel(ctx context.Context, model string, inputs []string) (string, []string, error) {
	local := make([]string, len(inputs))
	for i, name := range inputs {
		var err error
		if local[i], err = localFile(ctx, name); err != nil {
			return "", nil, err
		}
	}
	if isLocal(model) {
		return model, local, nil
	}
	dir, _ := path.Split(model)
	files, err := listFiles(ctx, dir+"*")
	if err != nil {
		return "", nil, err
	}
	for _, f := range files {
		if _, err := localFile(ctx, f); err != nil {
			return "", nil, err
		}
	}
	model, err = localFile(ctx, model)
	return model, local, err
}

// treeDepth is how deep suites of tests lie in folders.
const treeDepth = 3

// localTree is localFile for a file or a folder with what is in it.
func localTree(ctx context.Context, name string) (string, error) {
	if isLocal(name) {
		return name, nil
	}
	root := strings.TrimSuffix(name, "/")
	folder := fmt.Sprintf("%x", sha256.Sum256([]byte(root)))[:16]
	local, found := "", false
	for depth, pattern := 0, root; depth < treeDepth; depth++ {
		pattern += "/*"
		files, err := listFiles(ctx, pattern)
		if err != nil {
			return "", err
		}
		for _, f := range files {
			below := strings.TrimPrefix(f, root+"/")
			if local, err = copyTo(ctx, f, filepath.Join(folder, filepath.FromSlash(below))); err != nil {
				return "", err
			}
			found = true
		}
	}
	if !found {
		return localFile(ctx, name)
	}
	return local[:strings.Index(local, folder)+len(folder)], nil
}
