package modelfile

import (
	"fmt"
	"strings"
)

// Named says which file an error is of, where the position in its text does not.
func Named(path string, err error) error {
	if strings.HasPrefix(err.Error(), path+":") {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}
