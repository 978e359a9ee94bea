//go:build (amd64 && (darwin || freebsd || windows)) || (arm64 && (linux || darwin || freebsd || windows))

package exec

// newPlace copies code to a place, which is one of its own whatever the environment asks for.
func newPlace(code []byte) (*place, error) {
	if _, err := Setting(); err != nil {
		return nil, err
	}
	return alone(code)
}
