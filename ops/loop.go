package ops

// Looper is a [Builder] that can write turns of a loop once, in place of one after the other. [Op.Expand] asks a
// Builder for it where the turns are many.
type Looper interface {
	Builder
	// Loop writes count turns of body, which gets what the turn before gave, start in the first one, and gives as
	// many values of the same types. The results are the last turn's.
	Loop(count int, start []Value, body func(e Emit, carried []Value) []Value) []Value
}
