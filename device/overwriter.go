package device

// Overwriter is an executable whose results may have the memory of inputs, for inputs that nobody needs after the run.
type Overwriter interface {
	Executable
	// Overwrites returns for each result the input whose memory RunInto may be given for it, or -1; nil if there is none.
	// The input's contents are then those of the result.
	Overwrites() []int
}
