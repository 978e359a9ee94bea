module {
  func.func @parts(%arg0: index, %arg1: index) -> index {
    %0:2 = affine.delinearize_index %arg0 into (%arg1, %arg1) : index, index
    %1:3 = affine.delinearize_index %arg0 into (4, %arg1) : index, index, index
    %2:2 = affine.delinearize_index %arg0 into (4, 5) {a} : index, index
    %3 = affine.delinearize_index %arg0 into () : index
    return %3 : index
  }
}
