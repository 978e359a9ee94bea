package machine

import (
	"flag"
	"fmt"
	"maps"
	"slices"
)

// Mode is a state of service of an array, which the driver of its host sets.
type Mode struct {
	Clock Constant `json:"clock"`
}

// Setting is how an array is used: what its driver, its host's program and its kernels leave open. Empty fields are the
// machine as it is.
type Setting struct {
	Mode     string // a name of [Machine.Modes]
	Dispatch string // a name of [Machine.Dispatches]
	BF16     string // [BF16Exact] or [BF16Emulated]
}

// Register adds the flags of a setting.
func (s *Setting) Register(f *flag.FlagSet) {
	s.RegisterHost(f)
	f.StringVar(&s.BF16, "bf16", "", "how arrays that can do it in two ways `multiply` bf16: exact, or bfp16, which is faster and less accurate")
}

// RegisterHost adds the flags of the settings that the driver and the host's program make.
func (s *Setting) RegisterHost(f *flag.FlagSet) {
	f.StringVar(&s.Mode, "mode", "", "the `state` of the array's clock, such as turbo: acap machines prints a machine's states")
	f.StringVar(&s.Dispatch, "dispatch", "", "the `way` in which the host starts kernels, such as queued: acap machines prints a machine's ways")
}

// SettingError says what a machine does not have of a setting.
type SettingError struct{ err error }

// Error implements error.
func (e *SettingError) Error() string { return e.err.Error() }

// Of returns the machine in the setting. What the machine does not have of the setting is a [*SettingError].
func (s Setting) Of(m *Machine) (*Machine, error) {
	with, err := s.of(m)
	if err != nil {
		return nil, &SettingError{err}
	}
	return with, nil
}

func (s Setting) of(m *Machine) (*Machine, error) {
	if s == (Setting{}) {
		return m, nil
	}
	if s.Mode != "" {
		mode, ok := m.Modes[s.Mode]
		if !ok {
			return nil, fmt.Errorf("%s has no mode %q%s", m.Name, s.Mode, list(slices.Sorted(maps.Keys(m.Modes))))
		}
		with := *m
		with.Clock = mode.Clock
		m = &with
	}
	m, err := m.Dispatched(s.Dispatch)
	if err != nil {
		return nil, err
	}
	return m.WithBF16(s.BF16)
}

// Load returns the machine of a name, a preset or a JSON file, in the setting: of several arrays, one while all are at
// work. Errors are those of [Load] and of [Setting.Of].
func (s Setting) Load(name string) (*Machine, error) {
	m, err := Load(name)
	if err != nil {
		return nil, err
	}
	if m, err = s.Of(m); err != nil {
		return nil, err
	}
	return m.Shared(), nil
}

// Empty reports whether a setting leaves a machine as it is.
func (s Setting) Empty() bool { return s == Setting{} }
