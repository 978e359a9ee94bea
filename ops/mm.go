package ops

// Products of matrices, of batches of matrices, and of vectors.
func init() {
	register(matrixProduct.op("mm", "mat2", Sample{S(2, 3), S(3, 4)}, Sample{S(2, 0), S(0, 4)}))
	register(batchProduct.op("bmm", "mat2", Sample{S(2, 2, 3), S(2, 3, 4)}))
	register(matrixVector.op("mv", "vec", Sample{S(2, 3), S(3)}))
	register(innerProduct.op("dot", "tensor", Sample{S(3), S(3)}))
	register(innerProduct.op("vdot", "other", Sample{S(3), S(3)}))
}
