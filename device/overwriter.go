package device

// Overwriter is an executable whose results may have the memory of inputs, for inputs that nobody needs after the run.
type Overwriter interface {
	Executable
	// Overwrites returns for each result the number of the input whose memory RunInto may be given for it, or -1; nil
	// if no result has one. The run then replaces the input's contents by the result.
	Overwrites() []int
}
