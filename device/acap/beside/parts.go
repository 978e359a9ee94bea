package beside

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/machine"
)

// Parts returns the parts of an array as machines of their own: neighbouring columns from left to right, columns[i] of
// them for part i. Each has all of the memory's rate while the others rest. It is an error if the array has fewer
// columns, or a part has no interface tile.
func Parts(m *machine.Machine, columns []int) (parts []*machine.Machine, err error) {
	if !m.Programmed() {
		return nil, fmt.Errorf("%s has no columns that work apart", m.Name)
	}
	first := 0
	for _, n := range columns {
		part, err := m.Columns(first, n)
		if err != nil {
			return nil, err
		}
		part.DDR, part.Arrays = m.DDR, nil
		parts, first = append(parts, part), first+n
	}
	return parts, nil
}

// Even returns the number of columns of each part, so that all parts have equally many interface tiles. It is an error
// if the interface tiles cannot be shared so.
func Even(m *machine.Machine, parts int) (columns []int, err error) {
	if !m.Programmed() {
		return nil, fmt.Errorf("%s has no columns that work apart", m.Name)
	}
	first := m.Grid.Parted(parts)
	if first == nil {
		return nil, fmt.Errorf("%s has %d interface tiles, which are not parted into %d; say the columns of each", m.Name, len(m.Grid.ShimDMA), parts)
	}
	for i := range parts {
		columns = append(columns, first[i+1]-first[i])
	}
	return columns, nil
}

// Arrays returns a number of whole arrays that share one memory; the machine bounds the number. Another number is an
// error.
func Arrays(m *machine.Machine, number int) ([]*machine.Machine, error) {
	most := machine.MostArrays
	if m.Arrays != nil {
		most = m.Arrays.Number
	}
	if number < 1 || number > most {
		return nil, fmt.Errorf("%d arrays, want 1 to %d", number, most)
	}
	m = m.Alone()
	list := make([]*machine.Machine, number)
	for i := range list {
		list[i] = m
	}
	return list, nil
}
