package nn

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/go-acap/acap/base/atomicfile"
)

// Checkpoints are the files of a run in a folder, one for each step that was saved:
//
//	run := nn.Checkpoints{Dir: "run", Keep: 3}
//	step, err := run.Resume(parts) // 0 if there is nothing yet
//	for ; step < steps; step++ {
//		…
//		if step%100 == 99 {
//			err = run.Save(step+1, parts)
//		}
//	}
type Checkpoints struct {
	Dir  string
	Keep int // as many of the last files stay; 0 keeps all

	// Rank is the rank of this process among the processes that train together (package distributed): all call Save, in
	// which parts may exchange their data, and rank 0 writes.
	Rank int

	// Warn is told of files that are damaged, before an older one is taken. If it is nil,
	// such a file is an error.
	Warn func(err error)
}

// stepName is what files are called.
var stepName = regexp.MustCompile(`^step-(\d{9,18})\.safetensors$`)

// Save writes the checkpoint of a step by [Save], and then removes the oldest ones, as it does with files that a
// process left which was killed while it saved. A negative step is an error.
func (c Checkpoints) Save(step int, parts Parts) error {
	if step < 0 {
		return fmt.Errorf("nn: there is no checkpoint of step %d", step)
	}
	if c.Dir == "" {
		return errNoDir
	}
	if c.Rank != 0 {
		_, err := parts.state()
		return err
	}
	if err := os.MkdirAll(c.Dir, 0o777); err != nil {
		return err
	}
	atomicfile.RemoveAbandoned(c.Dir, stepName.MatchString)
	if err := Save(c.path(step), parts); err != nil {
		return err
	}
	steps, err := c.Steps()
	if err != nil || c.Keep <= 0 {
		return err
	}
	// Later checkpoints are from a run before this one went back, and are no part of it.
	at := slices.Index(steps, step)
	for i, s := range steps {
		if i <= at-c.Keep {
			err = errors.Join(err, os.Remove(c.path(s)))
		}
	}
	return err
}

func (c Checkpoints) path(step int) string {
	return filepath.Join(c.Dir, fmt.Sprintf("step-%09d.safetensors", step))
}

var errNoDir = errors.New("nn: Checkpoints without Dir, the folder of the run")

// Steps returns the steps that there are files of, ascending. A folder that does not exist
// has none. A folder that cannot be read is an error.
func (c Checkpoints) Steps() ([]int, error) {
	if c.Dir == "" {
		return nil, errNoDir
	}
	entries, err := os.ReadDir(c.Dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var steps []int
	for _, e := range entries {
		if m := stepName.FindStringSubmatch(e.Name()); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				steps = append(steps, n)
			}
		}
	}
	slices.Sort(steps)
	return steps, err
}

// Resume loads the newest checkpoint by [Load] and returns its step, or 0 if there is
// none. An error is one of [Load]; a damaged file ([ErrChecksum]) gives way to the one before if there is Warn, which
// gets the error.
func (c Checkpoints) Resume(parts Parts) (step int, err error) {
	steps, err := c.Steps()
	if err != nil {
		return 0, err
	}
	for _, s := range slices.Backward(steps) {
		if err = Load(c.path(s), parts); err == nil {
			return s, nil
		}
		if c.Warn == nil || !errors.Is(err, ErrChecksum) {
			return 0, err
		}
		c.Warn(err)
	}
	return 0, err
}
