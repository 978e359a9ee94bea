package cpu

// Chooser decides between forms of code that do the same, such as tiles of different sizes.
type Chooser interface {
	// Choose returns the index of the form to generate. costs are the estimated times of the forms, in one unit of any
	// kind. best is the index of the form that the generator would take by itself.
	Choose(best int, costs []float64) int
}

// Choose returns the index of the form to generate: best, unless f has a chooser.
func (f Features) Choose(best int, costs []float64) int {
	if f.Chooser == nil {
		return best
	}
	return f.Chooser.Choose(best, costs)
}
