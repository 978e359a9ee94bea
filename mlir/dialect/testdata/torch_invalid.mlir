func.func @f(%x: !torch.vtensor<[2],f32>) {
  // expected-error@+1 {{unbalanced brackets}}
  %0 = torch.aten.relu %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{expected an integer, found "1.5"}}
  %0 = torch.constant.int 1.5
  return
}
// -----
// expected-error@+1 {{unbalanced brackets}}
func.func @f(%x: !torch.vtensor<[2,f32>) {
  return
}
