// An entry for each function: it jumps to the address in its slot. That is at first the address of a few lines that have the library loaded, which
// stores the addresses of the functions in all slots of the library. Registers and stack are as the caller has left them, so that functions with any
// parameters, also a variable number of them, can be called.

#if defined(__ELF__)

#if defined(__x86_64__)

#define ENTRY(name) \
  .globl name; .hidden name; .type name, @function; .balign 16; \
  name: jmpq *slot_##name(%rip); \
  unloaded_##name: leaq slot_##name(%rip), %r11; jmp load; \
  .size name, . - name

  .text
  // r11: the slot. Saved: the registers of parameters, and the number of vector registers in al.
  .type load, @function
load:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  andq $-16, %rsp
  subq $192, %rsp
  movq %rdi, (%rsp)
  movq %rsi, 8(%rsp)
  movq %rdx, 16(%rsp)
  movq %rcx, 24(%rsp)
  movq %r8, 32(%rsp)
  movq %r9, 40(%rsp)
  movq %rax, 48(%rsp)
  movups %xmm0, 64(%rsp)
  movups %xmm1, 80(%rsp)
  movups %xmm2, 96(%rsp)
  movups %xmm3, 112(%rsp)
  movups %xmm4, 128(%rsp)
  movups %xmm5, 144(%rsp)
  movups %xmm6, 160(%rsp)
  movups %xmm7, 176(%rsp)
  movq %r11, %rdi
  callq mediatool_load_function
  movq %rax, %r11
  movq (%rsp), %rdi
  movq 8(%rsp), %rsi
  movq 16(%rsp), %rdx
  movq 24(%rsp), %rcx
  movq 32(%rsp), %r8
  movq 40(%rsp), %r9
  movq 48(%rsp), %rax
  movups 64(%rsp), %xmm0
  movups 80(%rsp), %xmm1
  movups 96(%rsp), %xmm2
  movups 112(%rsp), %xmm3
  movups 128(%rsp), %xmm4
  movups 144(%rsp), %xmm5
  movups 160(%rsp), %xmm6
  movups 176(%rsp), %xmm7
  movq %rbp, %rsp
  popq %rbp
  .cfi_def_cfa %rsp, 8
  jmpq *%r11
  .cfi_endproc
  .size load, . - load

#elif defined(__aarch64__)

#define ENTRY(name) \
  .globl name; .hidden name; .type name, %function; .balign 16; \
  name: adrp x16, slot_##name; ldr x17, [x16, :lo12:slot_##name]; br x17; \
  unloaded_##name: adrp x16, slot_##name; add x16, x16, :lo12:slot_##name; b load; \
  .size name, . - name

  .text
  // x16: the slot. Saved: the registers of parameters, of an indirect result, and the return address.
  .type load, %function
load:
  .cfi_startproc
  stp x29, x30, [sp, #-224]!
  .cfi_def_cfa_offset 224
  .cfi_offset x29, -224
  .cfi_offset x30, -216
  mov x29, sp
  stp x0, x1, [sp, #16]
  stp x2, x3, [sp, #32]
  stp x4, x5, [sp, #48]
  stp x6, x7, [sp, #64]
  str x8, [sp, #80]
  stp q0, q1, [sp, #96]
  stp q2, q3, [sp, #128]
  stp q4, q5, [sp, #160]
  stp q6, q7, [sp, #192]
  mov x0, x16
  bl mediatool_load_function
  mov x17, x0
  ldp x0, x1, [sp, #16]
  ldp x2, x3, [sp, #32]
  ldp x4, x5, [sp, #48]
  ldp x6, x7, [sp, #64]
  ldr x8, [sp, #80]
  ldp q0, q1, [sp, #96]
  ldp q2, q3, [sp, #128]
  ldp q4, q5, [sp, #160]
  ldp q6, q7, [sp, #192]
  ldp x29, x30, [sp], #224
  .cfi_def_cfa_offset 0
  br x17
  .cfi_endproc
  .size load, . - load

#endif

#define IMAGE_FUNCTION(name) ENTRY(name)
#define MEDIA_FUNCTION(name) ENTRY(name)
#include "functions.h"
#undef IMAGE_FUNCTION
#undef MEDIA_FUNCTION

// The slots, in the order of the functions: open.c knows a function by the position of its slot.
  .data
  .balign 8
  .globl mediatool_slots
  .hidden mediatool_slots
mediatool_slots:
#define IMAGE_FUNCTION(name) slot_##name: .quad unloaded_##name;
#define MEDIA_FUNCTION(name) slot_##name: .quad unloaded_##name;
#include "functions.h"

  .section .note.GNU-stack, "", %progbits

#endif
