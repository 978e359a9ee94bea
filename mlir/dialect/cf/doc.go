// Package cf defines MLIR's cf dialect: branches between the blocks of a region,
// and assertions.
//
// The builders end a block:
//
//	cf.Br(b, next, x)
//	cf.CondBr(b, condition, mlir.Successor{Block: yes}, mlir.Successor{Block: no})
package cf
