module {
  func.func @idx(%arg0: index, %arg1: index) {
    %0 = index.add %arg0, %arg1
    %1 = index.cmp slt(%arg0, %arg1)
    %idx42 = index.constant 42
    %true = index.bool.constant true
    %2 = index.casts %arg0 : index to i32
    %3 = index.sizeof
    %4 = index.ceildivs %arg0, %arg1
    return
  }
}
