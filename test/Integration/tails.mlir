// Where the usual formulas lose all digits: results that are far from 1, subnormal, or of large angles.
// RUN: ew-run %s --device=cpu --mode=strict --input=4xf32=-6,-3,-10,-13 --input=3xf32=-88,-100,-20 --input=3xf32=88,100,20 --input=3xf32=1e10,-1e10,3e38 --check | FileCheck %s
// RUN: ew-run %s --device=emulated --input=4xf32=-6,-3,-10,-13 --input=3xf32=-88,-100,-20 --input=3xf32=88,100,20 --input=3xf32=1e10,-1e10,3e38 --check | FileCheck %s
// RUN: ew-run %s --device=cpu --mode=fast --input=4xf32=-6,-3,-10,-13 --input=3xf32=-88,-100,-20 --input=3xf32=88,100,20 --input=3xf32=1e10,-1e10,3e38 --check | FileCheck %s
// RUN: ew-run %s --device=cpu --mode=strict --input=1xf32=-6 --input=1xf32=-88 --input=1xf32=88 --input=1xf32=1e10 | FileCheck %s --check-prefix=VALUE

// CHECK: result 0: 4 of 4 elements right
// CHECK: result 1: 4 of 4 elements right
// CHECK: result 2: 3 of 3 elements right
// CHECK: result 3: 3 of 3 elements right
// CHECK: result 4: 3 of 3 elements right
// VALUE: 1xf32=-5.9195{{[0-9]*}}e-09
// VALUE: 1xf32=-8.4396{{[0-9]*}}e-11
// VALUE: 1xf32=6.0546{{[0-9]*}}e-39
// VALUE: 1xf32=-6.0546{{[0-9]*}}e-39
// VALUE: 1xf32=-0.487506
func.func @f(%g: tensor<?xf32>, %s: tensor<?xf32>, %l: tensor<?xf32>, %a: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0 = ew.gelu %g : tensor<?xf32>
  %1 = ew.gelu %g approximate(tanh) : tensor<?xf32>
  %2 = ew.sigmoid %s : tensor<?xf32>
  %3 = ew.log_sigmoid %l : tensor<?xf32>
  %4 = ew.sin %a : tensor<?xf32>
  return %0, %1, %2, %3, %4 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
