package inputfile

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// Named says which file an error is of, unless the error begins with the path or comes from a call that names it.
func Named(path string, err error) error {
	var call *fs.PathError
	if strings.HasPrefix(err.Error(), path+":") || errors.As(err, &call) && call.Path == path && call == err {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}
