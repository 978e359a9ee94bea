package mlir

import "fmt"

// CheckElement is an error for a tensor, vector, memref or complex type with elements that MLIR does not let it have.
// Elements of a dialect's type are left to the dialect.
func CheckElement(t Type) error {
	var elem Type
	var in container
	switch t := t.(type) {
	case TensorType:
		elem, in = t.Elem, inTensor
	case UnrankedTensorType:
		elem, in = t.Elem, inTensor
	case MemRefType:
		elem, in = t.Elem, inMemRef
	case UnrankedMemRefType:
		elem, in = t.Elem, inMemRef
	case VectorType:
		elem, in = t.Elem, inVector
	case ComplexType:
		elem, in = t.Elem, inComplex
	}
	if in&^holders(elem) != 0 {
		return fmt.Errorf("%s cannot be an element of %s", elem, t)
	}
	return nil
}

// container is a set of kinds of types that have elements.
type container uint8

const (
	inTensor container = 1 << iota
	inMemRef
	inVector
	inComplex
)

// holders are the containers that may hold elements of a type.
func holders(elem Type) container {
	switch elem.(type) {
	case NoneType, TupleType, FunctionType, TensorType, UnrankedTensorType:
		return 0
	case MemRefType, UnrankedMemRefType:
		return inMemRef
	case VectorType, ComplexType:
		return inTensor | inMemRef
	case IndexType:
		return inTensor | inMemRef | inVector
	}
	return inTensor | inMemRef | inVector | inComplex
}
