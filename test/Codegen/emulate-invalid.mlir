// RUN: ew-opt %s --ew-emulate -split-input-file -verify-diagnostics

gpu.module @shuffles {
  gpu.func @k(%x: i32) kernel {
    %w = arith.constant 32 : i32
    // expected-error @below {{cannot be emulated on the CPU}}
    %y, %ok = gpu.shuffle xor %x, %w, %w : i32
    gpu.return
  }
}

// -----

gpu.module @helper {
  // expected-error @below {{cannot be emulated on the CPU: it is no kernel of one block}}
  gpu.func @f() {
    gpu.return
  }
}
