package conformance

import (
	"strings"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/tensor/opinfo"
)

// Tally is the outcome of a family of programs.
type Tally struct {
	Family string   `json:"family"`
	Passed int      `json:"passed"`
	Total  int      `json:"total"`
	Errors []string `json:"errors,omitempty"`
}

// Count implements [Row].
func (t *Tally) Count() (passed, total int) { return t.Passed, t.Total }

type opinfoSuite struct {
	suite    *opinfo.Suite
	families []string
}

func openOpinfo(paths []string, only string) (Suite, error) {
	path, err := onePath(paths)
	if err != nil {
		return nil, err
	}
	suite, err := opinfo.Open(path)
	if err != nil {
		return nil, err
	}
	s := &opinfoSuite{suite, suite.Families()}
	if only != "" {
		s.families = strings.Split(only, ",")
	}
	return s, nil
}

func (s *opinfoSuite) Tests() []string { return s.families }

func (s *opinfoSuite) Run(d device.Device, family string) ([]Row, error) {
	programs, err := s.suite.Programs(family)
	if err != nil {
		return nil, err
	}
	t := &Tally{Family: family, Total: len(programs)}
	for _, p := range programs {
		if err := p.Run(d); err != nil {
			t.Errors = append(t.Errors, p.Name+": "+err.Error())
		} else {
			t.Passed++
		}
	}
	return []Row{t}, nil
}
